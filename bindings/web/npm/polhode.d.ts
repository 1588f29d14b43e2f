// The rotation of rigid bodies. Attitudes are quaternions, scalar first, from body to space; momenta
// and angular velocities are in the frame of the body. Units are the caller's.

import { Body as FreeBody, Handle, Motion as FreeMotion, Numbers, Start } from './motion.js';

export { init, PolhodeError, State, States } from './motion.js';

/** A rigid body: three principal moments, or the tensor of inertia in any frame fixed in it. */
export class Body extends FreeBody {
  motion(start: Start): Motion;
}

/** An exact free motion: any time, forward or back, without steps. */
export class Motion extends FreeMotion {
  /** How the angular velocity at a time changes with the initial momentum, row by row; null beyond double. */
  velocityByMomentum(time: number): Float64Array | null;
}

export interface SystemOptions {
  /** The length of a step. It is needed, unless the method chooses its steps or a splitting is given a tolerance. */
  step?: number;
  /** The error allowed per turn, of a method that chooses its steps. */
  tolerance?: number;
  parameters?: Record<string, number | Numbers>;
  // parts of the start, as problems() lists them for each problem
  attitude?: Numbers;
  momentum?: Numbers;
  velocity?: Numbers;
  /** The attitude as axis times angle. */
  rotvec?: Numbers;
  inertia?: Numbers;
  /** Six numbers: xx, yy, zz, xy, xz, yz. */
  tensor?: Numbers;
  temperature?: number;
  friction?: number;
  seed?: number;
  // of a body whose centre of mass moves
  position?: Numbers;
  centre_velocity?: Numbers;
  // of unit vectors
  q?: Numbers;
  w?: Numbers;
  // of molecules
  positions?: Numbers;
  momenta?: Numbers;
  attitudes?: Numbers;
  angular_momenta?: Numbers;
  rotvecs?: Numbers;
  masses?: Numbers;
  inertias?: Numbers;
  dipoles?: Numbers;
  lattice?: number;
  spacing?: number;
  noise?: number;
  box?: Numbers;
  cutoff?: number;
  dielectric?: number;
  // of a rigid molecule of your own: three numbers, one, one and two for each site
  sites?: Numbers;
  site_masses?: Numbers;
  charges?: Numbers;
  lennard_jones?: Numbers;
}

export interface Field {
  name: string;
  columns: string;
  width: number;
  count: number;
  shown: boolean;
  list: boolean;
  values?: number[];
}

export interface Observable {
  name: string;
  label: string;
  width: number;
  conserved: boolean;
  defect: boolean;
  relative: boolean;
}

export interface Parameter {
  name: string;
  unit: string;
  text: string;
  first: number;
  default: number[];
}

export interface SystemFacts {
  kind: string;
  problem: string;
  method: string;
  step: number;
  time: number;
  adaptive: boolean;
  parameters: Parameter[];
  fields: Field[];
  observables: Observable[];
}

/** What moves: a problem and an integrator by their names, as in `polhode run`, with its bits. */
export class System extends Handle {
  /** The default method is the one that is recommended for the problem. */
  constructor(problem: string, method?: string, options?: SystemOptions);
  /** The system of a snapshot that save(), the tool or Python wrote. */
  static load(snapshot: Uint8Array): System;
  save(): Uint8Array;
  /** Takes steps, or goes to a time; a method of fixed steps reaches one a whole number of steps away. */
  run(how: { steps: number } | { until: number }): this;
  readonly time: number;
  readonly steps: number;
  readonly energy: number;
  readonly attitude: number[];
  readonly momentum: number[];
  readonly velocity: number[];
  /** Any field by its name: facts.fields names them. */
  get(name: string): number[];
  /** Facts as they were at the start: fields, observables, parameters. */
  readonly facts: SystemFacts;
  /** The numbers of a row: the time, the shown fields, the energy, the observables. A method that
   * chooses its steps is seen at a time within the last one. */
  row(time?: number): Float64Array;
  readonly width: number;
  /** For animations: takes steps of fixed length, or goes to a time or beyond it in the steps that a
   * method would choose on its way to `end`. False where it failed; `failure` says why. */
  advance(steps: number, time: number, end: number): boolean;
  failure?: string;
  /** The exact motion from the present state; null unless the body is free. */
  motion(): Motion | null;
}

/** Many free bodies in columns: 3 n moments, 4 n numbers of attitudes, 3 n of momenta, in principal axes,
 * each component of all bodies side by side. A step changes `attitude` and `momentum`. */
export class Batch extends Handle {
  constructor(inertia: Numbers, attitude: Numbers, momentum: Numbers);
  readonly count: number;
  readonly inertia: Float64Array;
  readonly attitude: Float64Array;
  readonly momentum: Float64Array;
  step(flow: string, h: number): this;
}

export interface Facts {
  name: string;
  title: string;
  cite: string;
}
export interface Integrator extends Facts {
  order: number;
  keeps: string[];
}
export interface Method extends Integrator {
  kind: string;
  adaptive: boolean;
}
export interface Problem extends Facts {
  kind: string;
  about: string;
  drift: string;
  free: boolean;
  firstOrder: boolean;
  single: boolean;
  parameters: Parameter[];
  start: { name: string; text: string; width: number; list: boolean }[];
}
export interface Catalog {
  flows: Integrator[];
  schemes: Integrator[];
  methods: Method[];
  problems: Problem[];
  /** The least tolerance, the default, and the largest. */
  tolerance: number[];
  version: string;
}

export function catalog(): Catalog;
export function flows(): Integrator[];
export function schemes(): Integrator[];
export function methods(): Method[];
export function problems(): Problem[];
export function version(): string;
/** Whether an integrator can do a problem. */
export function applies(problem: string, method: string): boolean;
/** The checksum over everything the library computes: that of `polhode bits` in every build. */
export function bits(steps?: number): string;
/** A row of a program: a time, its attitude and its angular velocity in the body, and the step if it
 * is known. Numbers of a program that diverged are NaN or infinite. */
export interface Row {
  t: number;
  q: number[];
  w: number[];
  h?: number;
}

/** The errors are the largest of the rows that count, or NaN; `polhode grade --help` describes them. */
export interface Grade {
  attitude: number;
  energy: number;
  momentum: number;
  length: number;
  speed: number;
  velocity: number;
  energyDrift: number;
  attitudeDrift: number;
  order: number;
  /** The smallest step, which is graded; 0 if it is not known. */
  h: number;
  /** The first time of a row that is not finite; NaN if there is none. */
  diverged: number;
  /** How many times of the case have a row. */
  matched: number;
  /** The rows that count, in the order of time, with their errors. */
  counted: (Row & { index: number; attitude: number; energy: number; momentum: number })[];
  /** A usual mistake that explains the errors. */
  looksLike: string | null;
  verdict: 'passed' | 'diverged' | 'times missing' | 'wrong length' | 'wrong attitude' | 'wrong velocity';
}

/** Grades the rows of a program on a case of the test of rotation, a file of conformance/cases. */
export function grade(oneCase: object, rows: Row[]): Grade;

/** Rows of numbers as CSV, with 17 digits as the tool writes them. */
export function csv(values: Numbers, columns: number): string;
