// settings.js - what a view is made of, checked against the catalog of the library: from a
// program, a link or a file. Whatever is wrong is an error with one sentence.

export class SettingsError extends Error {}

export const MOST_METHODS = 4;
export const MOST_BODIES = 50000;
export const MOST_STEPS = 1e7; // in one call, or to the time of a link
export const MOST_UNCERTAINTY = 0.2; // of the momentum
const LONGEST_LINK = 8192;
const LONGEST_NAME = 160;

export const CHOICES = {
  camera: ['space', 'body'],
  shape: ['box', 'ellipsoid'],
  scale: ['log', 'linear'],
  view: ['laboratory', 'lecture'],
  axes: ['auto', 'on', 'off'], // of a lecture: on bodies that do not stand on a point
  why: ['off', 'on'],
};

const wrong = (text) => { throw new SettingsError(text); };

// A value in a message: the beginning of it, without what is no letter.
export const shown = (value) => {
  const text = (typeof value === 'string' ? value : JSON.stringify(value) ?? String(value)).replace(/\p{C}/gu, '?');
  return text.length > 40 ? `${text.slice(0, 40)}...` : text;
};

// The number that a text is, or NaN.
export const numberIn = (text) => (/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text) ? Number(text) : NaN);

function number(name, value) {
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    wrong(`${name} is ${shown(value)}: write a finite number`);
  }
  return value;
}

function numbers(name, value, count) {
  const list = count === 1 && !Array.isArray(value) ? [value] : value;
  if (!Array.isArray(list) && !ArrayBuffer.isView(list)) {
    wrong(`${name} is ${shown(value)}: write ${count} numbers`);
  }
  if (list.length !== count) wrong(`${name} has ${list.length} numbers: write ${count}`);
  return Array.from(list, (x) => number(name, x));
}

function name(what, value) {
  if (typeof value !== 'string' || value.length === 0 || value.length > LONGEST_NAME) {
    wrong(`the ${what} is ${shown(value)}: write a name`);
  }
  return value;
}

export function problemNamed(catalog, value) {
  const found = catalog.problems.find((problem) => problem.name === name('problem', value));
  return found ?? wrong(`there is no problem ${shown(value)}: choose one of the list`);
}

function parameters(problem, value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    wrong(`the parameters are ${shown(value)}: write an object of names and numbers`);
  }
  const result = {};
  for (const [key, given] of Object.entries(value)) {
    const known = problem.parameters.find((parameter) => parameter.name === key) ??
      wrong(`${problem.name} has no parameter ${shown(key)}`);
    result[key] = numbers(key, given, known.default.length);
  }
  return result;
}

const KEYS = ['problem', 'method', 'methods', 'step', 'tolerance', 'parameters', 'bodies', 'spread', 'uncertainty', 'length',
  'speed', 'time', ...Object.keys(CHOICES)];

// The parts of a start that are one vector, of all problems or of one.
const starts = (problems) => [...new Map(problems.flatMap(({ start }) => start)
  .filter(({ list }) => !list).map((one) => [one.name, one])).values()];

// The number 1, 2 or 5 times a power of ten below another.
function niceStep(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  return Number(((x >= 5 * power ? 5 : x >= 2 * power ? 2 : 1) * power).toPrecision(1));
}

export function defaultStep(problem, settings) {
  if (!problem.velocity || !problem.inertia) return 0.01;
  const J = settings.inertia ?? problem.inertia;
  const w = settings.velocity ??
    (settings.momentum ? settings.momentum.map((m, i) => m / J[i]) : problem.velocity);
  const rate = Math.hypot(...w);
  return rate > 0 ? niceStep(0.1 / rate) : 0.01;
}

// Settings as the rest of the page takes them; what is not given is the problem's, or undefined
// where the library knows it.
export function checked(catalog, given, defaultMethod) {
  if (typeof given !== 'object' || given === null) wrong('settings are an object');
  const keys = [...KEYS, ...starts(catalog.problems).map((start) => start.name)];
  for (const key of Object.keys(given)) {
    if (!keys.includes(key)) wrong(`there is no setting ${shown(key)}: they are ${keys.join(', ')}`);
  }
  const problem = problemNamed(catalog, given.problem ?? 'free');
  const own = (key) => given[key] !== undefined && given[key] !== null;
  const result = { problem: problem.name, parameters: {} };
  if (own('parameters')) result.parameters = parameters(problem, given.parameters);
  const taken = starts([problem]).map((start) => start.name);
  for (const { name: key, width } of starts(catalog.problems)) {
    if (!own(key)) continue;
    if (!taken.includes(key)) wrong(`${problem.name} has no ${key} to set`);
    result[key] = numbers(key, given[key], width);
  }
  if (result.velocity && result.momentum) wrong('velocity and momentum exclude each other');
  if (result.attitude?.every((x) => x === 0)) {
    wrong('the attitude is the zero quaternion, no attitude: write 1, 0, 0, 0 for the identity');
  }
  if (own('method') && own('methods')) wrong('method and methods exclude each other');
  const methods = own('methods') ? given.methods : [given.method ?? defaultMethod(problem)];
  if (!Array.isArray(methods) || methods.length < 1 || methods.length > MOST_METHODS) {
    wrong(`methods are ${shown(methods)}: write 1 to ${MOST_METHODS} names`);
  }
  result.methods = methods.map((method) => name('method', method));
  result.bodies = own('bodies') ? number('bodies', given.bodies) : 0;
  if (!Number.isInteger(result.bodies) || result.bodies < 0 || result.bodies > MOST_BODIES) {
    wrong(`bodies is ${shown(given.bodies)}: write a whole number up to ${MOST_BODIES}`);
  }
  if (result.bodies > 0 && !problem.free) wrong('many bodies at once are free bodies');
  result.spread = own('spread') ? number('spread', given.spread) : 0.05;
  result.uncertainty = own('uncertainty') ? checkedUncertainty(given.uncertainty) : 0;
  if (result.uncertainty > 0 && !(problem.free && result.bodies === 0)) wrong('the uncertainty of the start is shown of one free body');
  result.step = own('step') ? number('step', given.step) : defaultStep(problem, result);
  if (result.step === 0) wrong('the step is 0: write another number');
  const [least, usual, most] = catalog.tolerance;
  const tolerance = own('tolerance') ? number('tolerance', given.tolerance) : usual;
  if (!(tolerance >= least && tolerance <= most)) {
    wrong(`the tolerance is ${tolerance}: write a number from ${least} to ${most}`);
  }
  if (result.methods.some((method) => catalog.methods.some((row) => row.name === method && row.adaptive))) result.tolerance = tolerance;
  Object.assign(result, checkedView(given));
  if (result.length === 0) result.length = 1000 * Math.abs(result.step);
  if (result.length === Infinity) wrong(`the step is ${result.step}, too long for a time line: write a smaller number`);
  if (result.speed === 0) result.speed = 1;
  const sign = Math.sign(result.step);
  result.time = sign * Math.max(0, Math.min(result.length, sign * result.time)); // as far as the time line goes
  if (result.bodies === 0 && !(Math.abs(result.time / result.step) <= MOST_STEPS)) {
    wrong(`the time is ${shown(result.time / result.step)} steps away: write one of at most ${MOST_STEPS} steps`);
  }
  return result;
}

// By how much of the momentum other starts differ.
export function checkedUncertainty(given) {
  const value = number('uncertainty', given);
  return value >= 0 && value <= MOST_UNCERTAINTY ? value : wrong(`the uncertainty is ${value}: write a number from 0 to ${MOST_UNCERTAINTY}`);
}

// How a run is looked at; a length or a speed of 0 is to be chosen.
export function checkedView(given) {
  const own = (key) => given[key] !== undefined && given[key] !== null;
  const result = {};
  for (const key of ['length', 'speed', 'time']) result[key] = own(key) ? number(key, given[key]) : 0;
  if (result.length < 0) wrong('the length of the time line is negative: write a positive number');
  for (const [key, choices] of Object.entries(CHOICES)) {
    result[key] = own(key) ? given[key] : choices[0];
    if (!choices.includes(result[key])) {
      wrong(`${key} is ${shown(result[key])}: choose ${choices.join(' or ')}`);
    }
  }
  return result;
}

// ---- links -------------------------------------------------------------------------------

const NUMBERS = ['step', 'tolerance', 'bodies', 'spread', 'uncertainty', 'length', 'speed', 'time'];

export function toFragment(settings, preset) {
  const words = [...(preset ? [['preset', preset]] : []), ['problem', settings.problem], ['methods', settings.methods.join(' ')]];
  for (const [key, value] of Object.entries(settings)) { // parts of the start
    if (key !== 'methods' && Array.isArray(value)) words.push([key, value.join(',')]);
  }
  for (const [key, values] of Object.entries(settings.parameters)) {
    words.push([`set.${key}`, values.join(',')]);
  }
  for (const key of NUMBERS) {
    const meant = key === 'tolerance' ? settings.tolerance !== undefined
      : key === 'uncertainty' ? settings.uncertainty > 0 : settings.bodies > 0 || (key !== 'bodies' && key !== 'spread');
    if (meant) words.push([key, settings[key]]);
  }
  for (const key of Object.keys(CHOICES)) words.push([key, settings[key]]);
  return new URLSearchParams(words).toString();
}

function readNumber(key, text) {
  const value = numberIn(text);
  return Number.isFinite(value) ? value : wrong(`${shown(key)} in the link is ${shown(text)}: ` +
    'write a finite number');
}

// The settings a link asks for, to be checked; null where it asks for nothing.
export function fromFragment(fragment) {
  const text = fragment.replace(/^#/, '');
  if (text === '') return null;
  if (text.length > LONGEST_LINK) wrong('the link is too long');
  const given = {};
  for (const [key, value] of new URLSearchParams(text)) {
    const list = () => value.split(',').map((word) => readNumber(key, word));
    if (key === 'problem' || Object.hasOwn(CHOICES, key)) given[key] = value;
    else if (key === 'preset') given.preset = shown(value);
    else if (key === 'methods') given.methods = value.split(' ');
    else if (NUMBERS.includes(key)) given[key] = readNumber(key, value);
    else if (key.startsWith('set.')) {
      given.parameters ??= Object.create(null);
      given.parameters[key.slice(4)] = list();
    } else if (/^[a-z_]+$/.test(key)) given[key] = list(); // a part of the start, or none that there is
    else wrong(`the link has a setting ${shown(key)}, which there is not`);
  }
  return given;
}
