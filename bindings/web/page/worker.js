// worker.js - the physics: runs of the library, seen by the page through calls and replies.

import packedCases from 'cases';
import wasm from 'polhode.wasm';
import { Cases, Contest, Grades } from './grade.js';
import { Cloud, LibraryError, load, unpacked } from './library.js';
import { Run } from './run.js';
import { checked, checkedView, SettingsError } from './settings.js';

let library;
let run = null;
let cases;
let grades = null; // of the results last opened
const ready = load(wasm).then(async (loaded) => {
  library = loaded;
  cases = new Cases(library, JSON.parse(new TextDecoder().decode(await unpacked(packedCases))));
});

// The integrators offered for a problem: all that apply, with their facts.
function integrators(problem) {
  const { flows, schemes, methods } = library.catalog;
  const own = methods.filter(({ kind }) => kind === problem.kind);
  const splittings = schemes.map((scheme) => ({ ...scheme, name: `${scheme.name}+${problem.drift}` }));
  const all = problem.free ? [...flows, ...own] : [...splittings, ...own];
  return all.filter(({ name }) => library.applies(problem.name, name));
}

// The one of highest order, the exact flow before all: of those in steps of h, to begin with; and
// of those that choose their steps, where there are any, to compare with.
const rank = ({ order }) => (order === 0 ? Infinity : order);
const best = (rows) => rows.reduce((a, b) => (rank(b) > rank(a) ? b : a)).name;
const bestOf = (problem) => best(integrators(problem).filter(({ adaptive }) => !adaptive));
function referenceOf(problem) {
  const adaptive = integrators(problem).filter((one) => one.adaptive);
  return adaptive.length > 0 ? best(adaptive) : bestOf(problem);
}

// Shows another run.
function begin(next) {
  run?.free();
  run = next;
  return { settings: run.settings, facts: run.facts, frame: run.frame(0) };
}

const calls = {
  catalog() {
    const problems = library.catalog.problems.map((problem) => (
      { ...problem, integrators: integrators(problem) }));
    return { ...library.catalog, problems, cases: cases.list.map(({ name, title }) => ({ name, title })) };
  },

  // Begins another run; the old one stays where the settings are refused.
  set(given) {
    const settings = checked(library.catalog, given, bestOf);
    const next = settings.bodies > 0 ? Run.ofCloud(library, settings, Cloud)
      : Run.ofSettings(library, settings, referenceOf);
    return begin(next);
  },

  open(snapshot, view) {
    return begin(Run.ofSnapshot(library, snapshot, checkedView(view), referenceOf));
  },

  play(facts, rows, view) {
    return begin(Run.ofRecording(library, facts, rows, checkedView(view)));
  },

  // Grades results, and shows the case that fails by most: by its attitude, then by anything else.
  grade(results, view) {
    const next = new Grades(cases, results);
    const error = ({ attitude, bound, passed }) => (Number.isNaN(attitude) ? Infinity : Math.max(attitude / bound, passed ? 0 : 1));
    const worst = next.list.reduce((a, b) => (error(b) > error(a) ? b : a));
    const contest = new Contest(cases, worst.name, next, checkedView(view));
    grades = next;
    return { ...begin(contest), grades: { list: next.list, passed: next.passed, missing: next.missing } };
  },

  // A case, with the results last opened where they have rows of it.
  case: (name, view) => begin(new Contest(cases, name, grades, checkedView(view))),

  // Shows other starts, or none.
  spread(part) {
    run.spreadBy(part);
    return run.frame(run.shown);
  },

  append: (rows) => run.append(rows),
  seek: (time, milliseconds) => run.seek(time, milliseconds),
  advance: (steps) => run.advance(steps),
  plots: (points, time) => run.plots(points, time),
  csv: () => run.csv(),
  track: (frames) => run.track(frames),
};

onmessage = async ({ data: { id, call, values } }) => {
  try {
    await ready;
    const result = calls[call](...values);
    postMessage({ id, result });
  } catch (error) {
    const expected = error instanceof SettingsError || error instanceof LibraryError;
    postMessage({ id, error: expected ? error.message : `the computation stopped: ${error.message}` });
  }
};
