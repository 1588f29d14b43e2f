// main.js - the page: settings and time on one side, views and plots on the other, the physics
// in a worker.

import workerSource from 'worker';
import { Controls } from './controls.js';
import { THEMES } from './draw.js';
import { Plots } from './plots.js';
import { momentsInWords, ownShape, PRESETS } from './presets.js';
import { checkedUncertainty, CHOICES, fromFragment, toFragment } from './settings.js';
import { Stage } from './stage.js';
import { exporters } from './export.js';
import { explain } from './explain.js';
import { listenForFiles, readFile } from './files.js';
import { fromTable } from './table.js';

const PLOT_POINTS = 500;
const PLOT_INTERVAL = 250;    // milliseconds
const NUMBERS_INTERVAL = 150;
const LINK_INTERVAL = 1000;
const COMPUTE = 25;           // milliseconds for steps in a frame
const SCRUB = 120;            // and where the time line is dragged
const LONGEST_WAIT = 2000;    // and where a run begins with a time to show
const FOLLOW_INTERVAL = 50;
const LONGEST_FRAME = 0.1;    // seconds of a frame that count

const $ = (id) => document.getElementById(id);

// ---- the worker ------------------------------------------------------------------------------

const worker = new Worker(URL.createObjectURL(new Blob([workerSource], { type: 'text/javascript' })));
const waiting = new Map();
let lastId = 0;
worker.onmessage = ({ data: { id, result, error } }) => {
  const { resolve, reject } = waiting.get(id);
  waiting.delete(id);
  if (error === undefined) resolve(result);
  else reject(new Error(error));
};
worker.onerror = (event) => message(`the page cannot compute: ${event.message ?? 'no worker'}`);
const call = (name, ...values) => new Promise((resolve, reject) => {
  lastId += 1;
  waiting.set(lastId, { resolve, reject });
  worker.postMessage({ id: lastId, call: name, values });
});

// ---- what is shown ---------------------------------------------------------------------------

const page = {
  settings: null,
  facts: null,
  frame: null,
  state: null,
  playing: false,
  busy: false,  // a frame is being computed
  stale: 0,     // counts runs, so that frames of an old one are dropped
  preset: null,
  view: { camera: 'space', shape: 'box', mesh: null },
};
let wanted = null; // a time asked for, as by the time line
let stage;
let plots;
let controls;
let catalog;

function message(text) {
  $('message').hidden = !text;
  $('message').textContent = text ?? '';
}

// What is asked for and not yet shown; while there is any, the page says that it is busy.
const pending = new Set();
function pend(what, on = true) {
  if (on) pending.add(what);
  else pending.delete(what);
  document.querySelector('main').setAttribute('aria-busy', String(pending.size > 0));
}

const theme = () => THEMES[document.documentElement.dataset.theme];

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  $('theme').textContent = name === 'dark' ? 'Light' : 'Dark';
}

const significant = (x, digits = 6) => {
  if (x === 0) return '0';
  const size = Math.abs(x);
  return size >= 1e-3 && size < 1e6 ? String(Number(x.toPrecision(digits))) : x.toExponential(digits - 1);
};

function showNumbers() {
  const rows = [];
  for (const [name, value] of Object.entries(page.state ?? {})) {
    const list = Array.isArray(value) ? value : [value];
    if (Array.isArray(list[0])) continue; // of many
    rows.push([name, list.map((x) => (name === 'time' ? significant(x, 8) : String(x))).join('\n')]);
  }
  $('state').replaceChildren(...rows.flatMap(([name, value]) => {
    const dt = document.createElement('dt');
    const dd = document.createElement('dd');
    dt.textContent = name;
    dd.textContent = value;
    return [dt, dd];
  }));
}

// The unit of time of a lecture, and how many of the run it is.
const unitOfTime = () => (page.settings.view === 'lecture' && page.preset?.unit) || ['', 1];

function accept(frame) {
  page.frame = frame;
  page.state = frame.state;
  page.settings.time = frame.after;
  stage.show(frame);
  const digits = Math.max(0, Math.min(page.preset && page.settings.view === 'lecture' ? 2 : 6, 2 - Math.floor(Math.log10(Math.max(Math.abs(page.settings.step), 1e-6)))));
  const [unit, size] = unitOfTime();
  $('clock').textContent = unit ? `t = ${(frame.time / size).toFixed(size === 1 ? 2 : 1)} ${unit}` : `t = ${frame.time.toFixed(digits)}`;
  if (document.activeElement !== $('time') || page.playing) $('time').value = String(Math.abs(page.settings.time));
}

// The page of a run that has begun.
function begin({ settings, facts, frame }, preset, isNew = false) {
  page.stale += 1;
  want(null);
  page.settings = settings;
  page.facts = facts;
  page.preset = preset ?? null;
  page.view.preset = page.preset;
  page.view.mesh = preset?.mesh ?? null;
  page.view.camera = settings.camera;
  page.view.shape = settings.shape;
  page.view.step = settings.step;
  controls.colors = theme().methods;
  stage.build(facts, settings, page.view, theme());
  buildPlots();
  controls.show(settings, facts);
  $('time').max = String(settings.length);
  $('length').value = String(settings.length);
  $('preset').value = preset?.name ?? '';
  const problem = catalog.problems.find(({ name }) => name === settings.problem && !facts.about) ?? facts.about ?? {};
  explain($, problem, settings, facts, preset);
  showLecture();
  $('canvas').setAttribute('aria-label', `${$('title').textContent}, by ${settings.methods.join(', ')}`);
  accept(frame);
  showNumbers();
  writeLink(isNew);
}

// What a lecture has beside the picture: caption, slider, and which of the two views it is.
function showLecture() {
  const { settings, facts, preset } = page;
  const lecture = settings.view === 'lecture';
  document.documentElement.dataset.view = settings.view;
  showSpeed();
  $('speed').title = `${unitOfTime()[0] || 'Units of time'} in a second; negative: backward`;
  $('switch').textContent = lecture ? 'Compare methods' : 'Lecture';
  $('name').textContent = $('title').textContent;
  $('see').textContent = preset?.see ?? '';
  $('fact').textContent = preset?.fact?.(facts, settings) ?? '';
  showWhy();
  $('axes').disabled = !facts.single;
  $('axes').setAttribute('aria-pressed', String(axesShown()));
  $('edges').hidden = !preset?.edges || settings.fixed;
  if (preset?.edges) preset.edges.get(settings).forEach((x, k) => { edgeInputs()[k].value = String(x); });
  const [label, slider, output] = $('knob').children;
  $('knob').hidden = !preset?.slider || settings.fixed;
  if ($('knob').hidden || document.activeElement === slider) return;
  const { label: text, min, max, unit, get } = preset.slider;
  const value = get(settings, facts);
  label.textContent = text;
  Object.assign(slider, { min: String(min), max: String(max) });
  slider.value = String(value);
  output.textContent = `${significant(value, 3)}${unit}`;
}

// Why it is so: beside the body, of which the stage has the polhode.
const REASON = 'This was not prepared as a lecture: the laboratory (M) says what you see, with the equation.';
function showWhy() {
  const { settings, facts, preset } = page;
  const on = settings.why === 'on' && settings.view === 'lecture';
  document.documentElement.dataset.why = on ? 'on' : 'off';
  $('why').setAttribute('aria-pressed', String(on));
  $('because').hidden = !on;
  const why = preset?.why ?? (facts.period !== null && facts.single ? PRESETS[0].why : REASON);
  $('reason').textContent = typeof why === 'function' ? why(facts) : why;
  $('moments').textContent = facts.single ? `Moments of inertia: ${momentsInWords(facts, preset)}.` : '';
}

function toggleWhy() {
  const { view: name, why } = page.settings;
  look({ view: 'lecture', why: name === 'lecture' && why === 'on' ? 'off' : 'on' }, true);
  showLecture();
  accept(page.frame);
}

// The axes of the body: shown, unless it stands on a point, or as was chosen.
const axesShown = () => page.settings.axes === 'on' || (page.settings.axes !== 'off' &&
  !(page.facts.parameters.find(({ name }) => name === 'centre')?.default ?? []).some((x) => x !== 0));

function toggleAxes() {
  look({ axes: axesShown() ? 'off' : 'on' });
  showLecture();
}

const edgeInputs = () => [...$('edges').querySelectorAll('input')];

// Other edges of the box begin the run anew.
async function changeEdges() {
  const edges = edgeInputs().map((input) => (input.value === '' ? NaN : Number(input.value)));
  const { preset, settings, playing } = page;
  try {
    if (!edges.every((x) => x > 0 && x < Infinity)) throw new Error('an edge must be a positive number, in metres');
    await start({ ...settings, time: 0, ...preset.edges.set(edges, settings) }, preset);
    play(playing);
  } catch (error) {
    message(error.message);
  }
}

// The slider of a lecture begins the run anew, and goes on playing.
let knobWaiting = null;
async function turnKnob() {
  const [, slider, output] = $('knob').children;
  const { preset, settings } = page;
  const value = Number(Number(slider.value).toPrecision(4));
  output.textContent = `${significant(value, 3)}${preset.slider.unit}`;
  const waiting = knobWaiting !== null;
  knobWaiting = { ...settings, time: 0, ...preset.slider.set(value, settings) };
  if (waiting) return;
  const playing = page.playing;
  try {
    for (let next = null; next !== knobWaiting;) {
      next = knobWaiting;
      await start(next, preset);
    }
  } catch (error) {
    message(error.message);
  }
  knobWaiting = null;
  play(playing);
}

function showView(name) {
  if (!CHOICES.view.includes(name)) throw new Error(`there is no view ${name}: they are ${CHOICES.view.join(', ')}`);
  if (page.settings.view === name) return;
  look({ view: name }, true);
  showLecture();
  accept(page.frame);
}

function buildPlots() {
  const { facts, settings } = page;
  const errors = facts.plots.map((label) => `error of ${label}`);
  if (facts.comparison) errors.push(facts.single ? 'error of attitude (rad)' : 'error of directions (rad)');
  $('plots').hidden = errors.length === 0;
  $('compared').textContent = facts.comparison ? `attitudes against ${facts.comparison}` : '';
  if (facts.comparison && !facts.single) $('compared').textContent = `directions against ${facts.comparison}`;
  plots.build(errors, settings.methods, theme(), settings.scale);
  $('log').checked = settings.scale === 'log';
  refreshPlots();
}

let plotsWaiting = false;
async function refreshPlots() {
  if (plotsWaiting || $('plots').hidden) return;
  plotsWaiting = true;
  const run = page.stale;
  try {
    const data = await call('plots', PLOT_POINTS);
    if (run === page.stale) plots.show(data);
  } finally {
    plotsWaiting = false;
  }
}

// The address of what is shown; a new one, which Back leaves, for another thing to show or another view.
function writeLink(isNew = false) {
  if (page.settings?.fixed) return;
  const link = `#${toFragment(page.settings, page.preset?.name)}`;
  try {
    if (isNew && location.hash !== '') history.pushState(null, '', link);
    else history.replaceState(null, '', link);
  } catch { /* too often: the next one will do */ }
}

function play(on) {
  page.playing = on;
  $('play').textContent = on ? 'Stop' : 'Play';
  if (!on && page.settings) stopAt();
}

// Begins a run; resolves when its first frame is shown, and rejects what is refused.
async function start(given, preset, isNew = false) {
  const what = {};
  pend(what);
  try {
    const result = await call('set', given);
    const { time } = result.settings; // which is shown after the first frame
    message(null);
    begin(result, preset, isNew);
    if (time !== 0) await comeTo(time);
    return result;
  } finally {
    pend(what, false);
  }
}

// Shows a time of the run; where it takes long, the rest of the way frame by frame.
async function comeTo(time) {
  const { arrived } = await seek(time, LONGEST_WAIT);
  if (arrived) await stopAt();
  else want(time);
}

// All that is only written where the time stands still.
async function stopAt() {
  showNumbers();
  writeLink();
  await refreshPlots();
}

async function seek(time, milliseconds = COMPUTE) {
  const run = page.stale;
  const frame = await call('seek', time, milliseconds);
  if (run === page.stale) accept(frame);
  return frame;
}

// ---- frames ----------------------------------------------------------------------------------

let before = 0;
let nextPlots = 0;
let nextNumbers = 0;
let nextLink = 0;

function want(time) {
  wanted = time;
  pend(want, time !== null);
}

async function compute(time) {
  page.busy = true;
  try {
    const { arrived } = await seek(time, wanted === time ? SCRUB : COMPUTE);
    if (wanted !== time || !arrived) return;
    await stopAt();
    if (wanted === time) want(null);
  } catch (error) {
    want(null);
    play(false);
    message(error.message);
  } finally {
    page.busy = false;
  }
}

function tick(now) {
  requestAnimationFrame(tick);
  const passed = Math.min(LONGEST_FRAME, (now - before) / 1000);
  before = now;
  if (page.settings && !page.busy) {
    if (wanted !== null) compute(wanted);
    else if (page.playing && !page.live) {
      const { speed, length, step, time } = page.settings;
      const sign = Math.sign(step);
      let next = time + sign * speed * passed;
      if (sign * next > length || sign * next < 0) {
        next = sign * next < 0 ? 0 : sign * length;
        play(false);
      }
      compute(next);
    }
  }
  if ((page.playing || wanted !== null) && now > nextPlots) {
    nextPlots = now + PLOT_INTERVAL;
    refreshPlots();
  }
  if (page.playing && now > nextNumbers) {
    nextNumbers = now + NUMBERS_INTERVAL;
    showNumbers();
  }
  if (page.playing && now > nextLink) {
    nextLink = now + LINK_INTERVAL;
    writeLink();
  }
  stage.render();
}

// ---- what the user does ----------------------------------------------------------------------

function look(change, isNew = false) {
  const { mesh, theme: _, ...settings } = change;
  Object.assign(page.settings, settings);
  Object.assign(page.view, settings, mesh || change.shape ? { mesh: mesh ?? null } : {});
  stage.build(page.facts, page.settings, page.view, theme());
  if ('scale' in change || 'theme' in change) buildPlots();
  stage.show(page.frame);
  writeLink(isNew);
}

// Shows other starts of the same run.
async function spreadBy(part) {
  const run = page.stale;
  try {
    const frame = await call('spread', checkedUncertainty(part));
    if (run !== page.stale) return;
    message(null);
    page.settings.uncertainty = part;
    accept(frame);
    writeLink();
  } catch (error) {
    message(error.message);
  }
}

function goTo(time) {
  play(false);
  want(Math.sign(page.settings.step) * Math.max(0, Math.min(page.settings.length, time)));
}

const now = () => Math.abs(page.settings.time);

async function stepBy(direction) {
  const { step } = page.settings;
  goTo((Math.round(now() / Math.abs(step)) + direction) * Math.abs(step));
}

function changeTheme() {
  setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
  controls.colors = theme().methods;
  controls.show(page.settings, page.facts);
  look({ theme: document.documentElement.dataset.theme });
}

async function showPreset(preset) {
  try {
    await start({ ...(page.settings ? view() : { view: 'lecture' }), ...preset.settings }, preset, true);
    play(!matchMedia('(prefers-reduced-motion: reduce)').matches);
  } catch (error) {
    message(error.message);
  }
}

async function showLink() {
  try {
    const { preset, ...given } = fromFragment(location.hash) ?? {};
    if (Object.keys(given).length === 0) return false;
    play(false);
    await start(given, PRESETS.find(({ name }) => name === preset) ?? presetOf(given));
    return true;
  } catch (error) {
    message(`this link cannot be shown: ${error.message}`);
    return false;
  }
}

const view = () => {
  const { camera, shape, scale, axes, why, view: name } = page.settings ?? {};
  return { camera, shape, scale, axes, why, view: name };
};

// Shows what another program has made: a snapshot, a recording or a table.
async function showOther({ snapshot, recording, table, length = 0 }) {
  play(false);
  let result;
  if (typeof snapshot === 'string') {
    result = await call('open', Uint8Array.from(atob(snapshot), (c) => c.charCodeAt(0)), { ...view(), length, speed: 1 });
  } else if (snapshot) {
    result = await call('open', snapshot, { ...view(), length, speed: 1 });
  } else {
    const { facts, rows } = recording ?? fromTable(table);
    result = await call('play', facts, rows, { ...view(), length });
  }
  message(null);
  begin(result, null);
}

// Shows a case of the test of rotation, or grades results and shows the worst one.
async function showCase(name, results) {
  play(false);
  const result = results ? await call('grade', results, view()) : await call('case', name, view());
  if (results) page.grades = { name: results.name, ...result.grades };
  controls.grades = page.grades;
  message(null);
  const { case: shown, about } = result.facts;
  const words = gradeInWords(page.grades?.list.find((one) => one.name === shown));
  begin(result, { title: about.title, note: words, see: words, fact: () => (page.grades ? controls.summary() : '') });
}

function gradeInWords(grade) {
  if (!grade) return 'Drop results (case,t,q0,q1,q2,q3,w1,w2,w3) to see a program’s body beside this one.';
  const { attitude, energy, momentum, velocity, bound, passed, missing, looksLike, verdict, diverged, length } = grade;
  if (verdict === 'diverged') return `Not passed: diverged${Number.isNaN(diverged) ? '' : ` at t = ${significant(diverged, 6)}`}.`;
  const percent = (x) => `${significant(100 * x, 2)} %`;
  const why = { 'wrong length': ` The length of the quaternion is off by ${percent(length)}.`,
    'wrong velocity': ` The angular velocity is off by ${percent(velocity)} of the largest.` };
  return `${passed ? 'Passed' : 'Not passed'}: the attitude is up to ${significant(attitude * 180 / Math.PI, 3)}° off ` +
    `(allowed: ${significant(bound * 180 / Math.PI, 2)}°), the energy ${percent(energy)}, the angular momentum ${percent(momentum)}.` +
    `${missing > 0 ? ` ${missing} times have no row.` : ''}${why[verdict] ?? ''}${looksLike ? ` It looks like: ${looksLike}.` : ''}`;
}

// Shows a mesh as a body with its inertia: in a lecture as a free body; in the laboratory in the place of the
// body there, in a field with a density that leaves its largest moment as it was.
async function showMesh({ name, geometry, solid, why }) {
  const { settings, facts } = page;
  if (settings.view === 'lecture' && solid) {
    const preset = ownShape(name, geometry, solid);
    await start({ ...view(), ...preset.settings }, preset);
    play(!matchMedia('(prefers-reduced-motion: reduce)').matches);
    return;
  }
  if (!facts.single) throw new Error('a mesh is the shape of one body: choose a problem of one body first');
  if (solid && !settings.fixed && catalog.problems.find((one) => one.name === settings.problem)?.inertia) {
    const factor = facts.period === null ? Math.max(...facts.moments) / solid.moments[2] : 1;
    await start({ ...settings, time: 0, inertia: solid.moments.map((x) => x * factor) }, { mesh: geometry });
  } else {
    look({ mesh: geometry });
    if (why) message(`${name} is drawn, but its inertia is not known: ${why}`);
  }
}

// Shows a file: a body of another shape, or another run.
async function takeFile(file) {
  pend(file);
  try {
    const content = await readFile(file);
    message(null);
    if (content.results) await showCase(null, content.results);
    else if (!content.mesh) await showOther(content);
    else await showMesh(content.mesh);
  } catch (error) {
    message(error.message);
  } finally {
    pend(file, false);
  }
}

// Shows a run that goes on elsewhere: asks the server of the page for its last row. The time line
// stays where the user has put it, until Play.
async function follow() {
  let last = page.frame.time;
  play(true);
  page.live = true;
  const run = page.stale;
  for (;;) {
    let row = null;
    try {
      row = await (await fetch('state')).json();
    } catch {
      break;
    }
    if (run !== page.stale) return;
    if (Array.isArray(row) && row[0] !== last) {
      [last] = row;
      await call('append', [row]);
      if (page.playing) await seek(row[0]);
    }
    await new Promise((resolve) => { setTimeout(resolve, FOLLOW_INTERVAL); });
  }
  page.live = false;
  play(false);
  message('the run has ended, or was stopped: this is what was seen of it');
}

// The run that `polhode view` has put into the page.
async function showInside() {
  const element = document.getElementById('run');
  if (!element) return false;
  try {
    const inside = JSON.parse(element.textContent);
    await showOther(inside);
    if (inside.live) follow();
    return true;
  } catch (error) {
    message(`the run in this page cannot be shown: ${error.message}`);
    return false;
  }
}

// The preset whose settings a link has.
function presetOf(given) {
  return PRESETS.find(({ settings }) => settings.problem === given.problem &&
    (settings.bodies ?? 0) === (given.bodies ?? 0) && Object.entries(settings).every(([key, value]) => (
      ['step', 'length', 'speed', 'methods', 'spread'].includes(key) || JSON.stringify(given[key]) === JSON.stringify(value))));
}

// Keys that are not the page's: all, where text is written; those that press, move or choose, where something can be
// pressed, moved or chosen.
function takenBy({ tagName, type }, key) {
  if (tagName === 'TEXTAREA' || (tagName === 'INPUT' && !['range', 'checkbox', 'file'].includes(type))) return true;
  if (tagName === 'SELECT' || type === 'range') return /^( |Enter|Arrow.*|Home|End|Page.*)$/.test(key);
  return /^(INPUT|BUTTON|SUMMARY)$/.test(tagName) && /^( |Enter)$/.test(key);
}

function keys(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || !page.settings) return;
  if (takenBy(event.target, event.key) || document.querySelector('dialog[open]')) return;
  const { speed, length } = page.settings;
  const actions = {
    ' ': () => play(!page.playing),
    ArrowLeft: () => (event.shiftKey ? stepBy(-1) : goTo(now() - length / 100)),
    ArrowRight: () => (event.shiftKey ? stepBy(1) : goTo(now() + length / 100)),
    Home: () => goTo(0),
    End: () => goTo(length),
    '+': () => setSpeed(speed * 1.25),
    '-': () => setSpeed(speed / 1.25),
    b: () => look({ camera: page.settings.camera === 'space' ? 'body' : 'space' }),
    e: () => look({ shape: page.settings.shape === 'box' ? 'ellipsoid' : 'box' }),
    l: () => look({ scale: page.settings.scale === 'log' ? 'linear' : 'log' }),
    m: () => showView(page.settings.view === 'lecture' ? 'laboratory' : 'lecture'),
    a: toggleAxes,
    w: toggleWhy,
    t: enlarge,
    f: fullScreen,
    r: restart,
    '?': () => $('keys').showModal(),
  };
  const number = '1234567890'.indexOf(event.key);
  if (number >= 0 && PRESETS[number]) showPreset(PRESETS[number]);
  else if (actions[event.key] ?? actions[event.key.toLowerCase()]) (actions[event.key] ?? actions[event.key.toLowerCase()])();
  else return;
  event.preventDefault();
}

const showSpeed = () => { $('speed').value = String(Number((page.settings.speed / unitOfTime()[1]).toPrecision(2))); };

function setSpeed(value) {
  if (!Number.isFinite(value)) {
    message('the speed must be a number: units of time in a second');
    return;
  }
  message(null);
  page.settings.speed = Number(value.toPrecision(4));
  showSpeed();
}

function restart() {
  const was = page.playing;
  goTo(0);
  play(was || !matchMedia('(prefers-reduced-motion: reduce)').matches);
}

function enlarge() {
  const on = document.documentElement.toggleAttribute('data-large');
  $('large').setAttribute('aria-pressed', String(on));
}

function fullScreen() {
  const done = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
  done.catch(() => message('this browser does not let the page fill the screen'));
}

function listen() {
  $('switch').addEventListener('click', () => showView(page.settings.view === 'lecture' ? 'laboratory' : 'lecture'));
  $('why').addEventListener('click', toggleWhy);
  $('axes').addEventListener('click', toggleAxes);
  $('restart').addEventListener('click', restart);
  $('large').addEventListener('click', enlarge);
  $('full').addEventListener('click', fullScreen);
  $('knob').querySelector('input').addEventListener('input', turnKnob);
  $('edges').addEventListener('change', changeEdges);
  $('open').addEventListener('click', () => $('file').click());
  $('play').addEventListener('click', () => {
    const end = page.settings.length;
    if (!page.playing && page.settings.speed > 0 && now() >= end * (1 - 1e-9)) goTo(0);
    play(!page.playing);
  });
  $('back').addEventListener('click', () => stepBy(-1));
  $('forward').addEventListener('click', () => stepBy(1));
  $('time').addEventListener('input', () => goTo(Number($('time').value)));
  $('speed').addEventListener('change', () => setSpeed($('speed').value === '' ? NaN : unitOfTime()[1] * Number($('speed').value)));
  $('length').addEventListener('change', () => {
    const value = Number($('length').value);
    if (!(value > 0 && Number.isFinite(value))) {
      message('the time line must end at a positive time');
      return;
    }
    message(null);
    page.settings.length = value;
    $('time').max = String(value);
    writeLink();
  });
  $('log').addEventListener('change', () => look({ scale: $('log').checked ? 'log' : 'linear' }));
  $('theme').addEventListener('click', changeTheme);
  $('help').addEventListener('click', () => $('keys').showModal());
  $('link').addEventListener('click', copyLink);
  $('preset').addEventListener('change', () => {
    const preset = PRESETS.find(({ name }) => name === $('preset').value);
    if (preset) showPreset(preset);
  });
  addEventListener('keydown', keys);
  addEventListener('hashchange', async () => { // as after Back and Forward, for every entry has another address
    const { playing } = page;
    if (await showLink() && playing) play(true);
  });
  listenForFiles($('file'), takeFile);
  exporters($, { page, stage, call, message, takePicture, play, pend, seek });
}

// The views as they are, as a PNG.
function takePicture() {
  stage.dirty = true;
  stage.render();
  return new Promise((resolve) => { stage.canvas.toBlob(resolve, 'image/png'); });
}

async function copyLink() {
  writeLink();
  const button = $('link');
  try {
    await navigator.clipboard.writeText(location.href);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'In the address bar';
  }
  setTimeout(() => { button.textContent = 'Copy link'; }, 1500);
}

// ---- for programs: tests, notebooks ----------------------------------------------------------

const ready = initialize();

window.polhode = {
  // Begins a run at t = 0, stopped; rejects invalid settings, and leaves the old run.
  async set(settings) {
    await ready;
    play(false);
    await start({ view: page.settings.view, ...settings }, null);
  },

  // Takes exactly so many steps.
  async advance(steps) {
    await ready;
    play(false);
    const run = page.stale;
    const frame = await call('advance', steps);
    if (run !== page.stale) return;
    accept(frame);
    await stopAt();
  },

  // { time, attitude, momentum, energy, ... } of the first method, at the end of its last step.
  state: () => (page.state === null ? null : structuredClone(page.state)),

  // 'lecture' or 'laboratory', and to change between them.
  view: () => page.settings?.view ?? 'lecture',
  async show(name) {
    await ready;
    showView(name);
  },

  // The names of what there is to show, and to show one; it plays, unless motion is not wanted.
  presets: () => PRESETS.map(({ name }) => name),
  async preset(name) {
    await ready;
    const preset = PRESETS.find((one) => one.name === name);
    if (!preset) throw new Error(`there is no preset ${name}: they are ${PRESETS.map((one) => one.name).join(', ')}`);
    await showPreset(preset);
  },

  // What there is: problems with their parameters, methods.
  catalog: () => structuredClone(catalog),

  // The views as a PNG.
  async picture() {
    await ready;
    return takePicture();
  },

  // Resolves when the page can be used.
  ready,
};

// The views; without WebGL all else works, and a sentence stands in their place.
function makeStage() {
  if (document.createElement('canvas').getContext('webgl2')) return new Stage($('stage'), $('canvas'), $('panes'));
  $('panes').textContent = 'This browser has no WebGL 2, with which the page draws. Numbers and plots are there.';
  return { build() {}, show() {}, render() {}, panes: [], canvas: $('canvas') };
}

async function initialize() {
  setTheme(matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark');
  for (const { name, title } of PRESETS) {
    const option = document.createElement('option');
    option.value = name;
    option.textContent = title;
    $('preset').append(option);
  }
  stage = makeStage();
  plots = new Plots($('charts'));
  catalog = await call('catalog');
  controls = new Controls($('controls'), catalog, async (next) => {
    try {
      const time = page.settings.time;
      const was = page.playing;
      const same = ['problem', 'inertia'].every((key) => JSON.stringify(next[key]) === JSON.stringify(page.settings[key]));
      await start(next, same && page.view.mesh ? { mesh: page.view.mesh } : null, next.problem !== page.settings.problem);
      page.playing = was;
      if (next.problem === page.settings.problem && time > 0 && !was) await comeTo(time);
      return null;
    } catch (error) {
      return error.message;
    }
  }, { spread: spreadBy, showCase: (name) => showCase(name).catch((error) => message(error.message)) });
  listen();
  if (await showInside()) { /* the run that the tool has put here */
  } else if (!await showLink()) {
    const keep = $('message').textContent;
    await showPreset(PRESETS[0]);
    if (keep) {
      message(keep);
      play(false);
    }
  }
  requestAnimationFrame(tick);
}
