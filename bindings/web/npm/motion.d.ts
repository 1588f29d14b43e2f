// The free rotation of rigid bodies, exactly, at any time. Attitudes are quaternions, scalar first, from
// body to space; momenta and angular velocities are in the frame of the body. Units are the caller's.

/** What the library refuses, in its words. */
export class PolhodeError extends Error {}

type Source = BufferSource | WebAssembly.Module | Response;

/** Loads the WebAssembly module: by default the file that lies beside this script, or beside the bundle that
 * contains it. Await it once; then everything else is synchronous. Throws a PolhodeError if there is no such
 * module. */
export function init(source?: Source | Promise<Source>): Promise<void>;

export type Numbers = ArrayLike<number>;

export interface State {
  attitude: number[];
  momentum: number[];
  velocity: number[];
}

/** States at n times: 4 n, 3 n and 3 n numbers, those of a time side by side. Each array has a buffer of its own,
 * which can be transferred to a worker or from it. */
export interface States {
  attitude: Float64Array;
  momentum: Float64Array;
  velocity: Float64Array;
}

/** Memory of the module, released when the object is no longer used, or at once by free(). Every later
 * use but free() throws a PolhodeError. */
export class Handle {
  free(): void;
}

/** An attitude, the identity by default, and a velocity or a momentum. */
export type Start = { attitude?: Numbers; velocity: Numbers } | { attitude?: Numbers; momentum: Numbers };

/** A rigid body: three principal moments, or the tensor of inertia in any frame fixed in it, three
 * rows of three numbers. */
export class Body extends Handle {
  constructor(given: { inertia: Numbers } | { tensor: number[][] });
  readonly moments: number[];
  /** Whether matter can have these moments: none above the sum of the others. */
  readonly physical: boolean;
  velocity(momentum: Numbers): number[];
  momentum(velocity: Numbers): number[];
  /** Returns the exact free motion from a start. */
  motion(start: Start): Motion;
}

/** An exact free motion: any time, forward or back, without steps. */
export class Motion extends Handle {
  protected constructor();
  /** The time in which the momentum goes round once in the body; infinite where it stays. */
  readonly period: number;
  readonly precession: number;
  /** Times must be finite. */
  at(time: number): State;
  at(times: Numbers): States;
}
