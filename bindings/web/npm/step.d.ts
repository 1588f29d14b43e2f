// The free rotation of one rigid body over a time dt, exactly, without WebAssembly: polhode_step.h in
// JavaScript, with the same bits.

type Numbers = ArrayLike<number>;

export interface Step {
  /** The attitude after dt, of unit length. */
  q: number[];
  /** The angular velocity after dt. */
  w: number[];
}

/** Returns the attitude and the angular velocity of a free body after the time dt; the arguments do not
 * change.
 *
 * `q` is the attitude, body to space, scalar first; `w` the angular velocity in the principal axes of the
 * body; `J` the principal moments of inertia. The result is within 1e-13 of the exact motion for a rotation
 * up to 1 rad, and energy and angular momentum are kept to round-off for any dt.
 *
 * If `q`, `w` or `dt` is not finite, `q` is zero or a moment is NaN, then `q` and `w` are returned as they are.
 * With an infinite moment, `w` stays and the body turns about it. Throws a TypeError if an array has another
 * length. */
export function step(q: Numbers, w: Numbers, J: Numbers, dt: number): Step;

/** Does the same as step(), with the angular velocity in space. */
export function stepWorld(q: Numbers, w: Numbers, J: Numbers, dt: number): Step;
