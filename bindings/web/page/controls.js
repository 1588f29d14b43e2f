// controls.js - the form: made from the catalog, so that every parameter of every problem has its
// slider. What is typed goes to the library as it is; what it refuses is said beside.

import { MOST_METHODS, MOST_UNCERTAINTY } from './settings.js';

const USUAL_UNCERTAINTY = 0.04;

const element = (tag, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};

// The range of a slider around a value: both signs where the value has none of its own.
function rangeOf(value, positive) {
  const size = value === 0 ? 1 : 10 ** Math.ceil(Math.log10(Math.abs(value) * 2));
  const most = value !== 0 && Math.abs(value) * 2.5 < size / 2 ? size / 2 : size;
  return positive ? [0, most] : [-most, most];
}

export class Controls {
  // `apply` takes settings and answers with what is wrong, or null; `spread` shows other starts, and
  // `showCase` a case of the test of rotation.
  constructor(form, catalog, apply, { spread, showCase }) {
    this.form = form;
    this.spread = spread;
    this.showCase = showCase;
    this.grades = null; // of results
    this.catalog = catalog;
    this.apply = apply;
    form.addEventListener('submit', (event) => event.preventDefault());
  }

  get problem() {
    return this.catalog.problems.find(({ name }) => name === this.settings.problem);
  }

  // Asks for a change; an input that is refused is marked and told why.
  async change(change, input) {
    const next = { ...this.settings, ...change };
    delete next.time;
    const why = await this.apply(next);
    for (const marked of this.form.querySelectorAll('.why')) marked.remove();
    for (const marked of this.form.querySelectorAll('[aria-invalid]')) marked.removeAttribute('aria-invalid');
    if (!why) return;
    input.setAttribute('aria-invalid', 'true');
    input.closest('fieldset').append(element('p', { className: 'why', textContent: why }));
  }

  // A number with its slider, which may be of its logarithm, in halves.
  number(label, value, range, set, title = '', log = false) {
    const [low, high] = range;
    const [least, most] = log ? range.map(Math.log10) : range;
    const slider = element('input', { type: 'range', min: String(least), max: String(most), step: String(log ? 0.5 : (high - low) / 400) });
    const place = (x) => { slider.value = String(log ? Math.log10(x) : x); };
    place(value);
    const box = element('input', { type: 'number', step: 'any', value: String(value) });
    slider.setAttribute('aria-label', `${label}, slider`);
    box.setAttribute('aria-label', title ? `${label}: ${title}` : label);
    slider.addEventListener('input', () => {
      const x = log ? Number((10 ** Number(slider.value)).toPrecision(1)) : Number(Number(slider.value).toPrecision(6));
      box.value = String(x);
      set(x, box);
    });
    box.addEventListener('change', () => {
      const x = box.value === '' ? NaN : Number(box.value);
      if (x >= low && x <= high) place(x);
      set(x, box);
    });
    return element('div', { className: 'row', title }, element('span', { textContent: label }), slider, box);
  }

  // Numbers with one range, which follows the largest of them; where all are 0, that of `base`.
  vector(values, base, positive, labels, set, title) {
    const size = (list) => Math.max(...list.map(Math.abs));
    const range = rangeOf(size(values) || size(base), positive);
    return values.map((value, k) => this.number(labels[k], value, range,
      (x, input) => set(values.map((y, i) => (i === k ? x : y)), input), title));
  }

  // The form of settings as they run; the same problem keeps its inputs, so that one can drag on.
  show(settings, facts) {
    const keep = this.settings && this.form.contains(document.activeElement) &&
      this.settings.problem === settings.problem && this.settings.bodies === settings.bodies &&
      this.settings.methods.length === settings.methods.length &&
      document.activeElement.type === 'range';
    this.settings = settings;
    this.facts = facts;
    if (keep) return;
    const problem = this.problem ?? { parameters: [], integrators: [] }; // one that is not ours
    const parts = settings.fixed ? [this.problems()] : [this.problems(), this.methods(), this.steps()];
    if (facts.case && this.grades) parts.push(this.cases());
    if (settings.fixed) return this.form.replaceChildren(...parts);
    if (problem.single) parts.push(...this.body(facts));
    if (facts.period !== null && !facts.cloud) parts.push(this.uncertainty());
    if (settings.bodies > 0) parts.push(this.cloud());
    else if (problem.parameters.length > 0) parts.push(this.parameters());
    return this.form.replaceChildren(...parts);
  }

  set(legend, ...rows) {
    return element('fieldset', {}, element('legend', { textContent: legend }), ...rows);
  }

  problems() {
    const select = element('select', { id: 'problem' });
    select.setAttribute('aria-label', 'Problem');
    for (const about of new Set(this.catalog.problems.map((problem) => problem.about))) {
      const group = element('optgroup', { label: `${about[0].toUpperCase()}${about.slice(1)}` });
      for (const { name, title } of this.catalog.problems.filter((problem) => problem.about === about)) {
        group.append(element('option', { value: name, textContent: title, selected: name === this.settings.problem && !this.facts.case }));
      }
      select.append(group);
    }
    const group = element('optgroup', { label: 'Certified motions, to grade programs' });
    for (const { name, title } of this.catalog.cases) {
      group.append(element('option', { value: `case ${name}`, textContent: `${name}: ${title}`, selected: name === this.facts.case }));
    }
    select.append(group);
    select.addEventListener('change', () => {
      if (select.value.startsWith('case ')) {
        this.showCase(select.value.slice(5));
        return;
      }
      const { camera, shape, scale, axes, why, view } = this.settings;
      this.settings = { camera, shape, scale, axes, why, view };
      this.change({ problem: select.value }, select);
    });
    return this.set('Problem', select);
  }

  // The grades of results, in a sentence.
  summary() {
    const { name, list, passed, missing } = this.grades;
    const failed = list.length - passed;
    return `${name}: ${missing === 0 ? `${passed} of ${list.length} passed`
      : `${list.length} of ${list.length + missing} cases, ${missing} missing; ${passed} passed, ${failed} failed`}`;
  }

  // And to choose a case by.
  cases() {
    const { list } = this.grades;
    const select = element('select', { id: 'case' });
    select.setAttribute('aria-label', 'Case');
    for (const grade of list) {
      const error = `${Number((grade.attitude * 180 / Math.PI).toPrecision(2))}° off`;
      const why = ['wrong attitude', 'times missing'].includes(grade.verdict) && grade.matched > 0 ? error : grade.verdict;
      select.append(element('option', { value: grade.name, selected: grade.name === this.facts.case,
        textContent: `${grade.name}: ${why}${grade.looksLike ? `, ${grade.looksLike}` : ''}` }));
    }
    if (!list.some((grade) => grade.name === this.facts.case)) select.append(element('option', { textContent: 'no rows of this case', selected: true }));
    select.addEventListener('change', () => this.showCase(select.value));
    return this.set('Grades', element('p', { id: 'graded', textContent: this.summary() }), select);
  }

  methods() {
    const { methods } = this.settings;
    const list = element('datalist', { id: 'integrators' });
    for (const { name, title, order } of this.problem.integrators) {
      list.append(element('option', { value: name, label: `${title}${order > 0 ? `, order ${order}` : ''}` }));
    }
    const rows = methods.map((method, i) => {
      const input = element('input', { type: 'text', value: method, spellcheck: false });
      input.setAttribute('list', 'integrators');
      input.setAttribute('aria-label', `Method ${i + 1}`);
      input.addEventListener('change', () => (
        this.change({ methods: methods.map((old, k) => (k === i ? input.value.trim() : old)) }, input)));
      const chip = element('span', { className: 'chip' });
      chip.style.setProperty('--c', this.colors[i]);
      const facts = this.problem.integrators.find(({ name }) => name === method);
      const order = facts ? (facts.order === 0 ? 'exact' : `order ${facts.order}${facts.adaptive ? ', own steps' : ''}`) : '';
      const row = element('div', { className: 'method', title: facts?.title ?? '' }, chip, input,
        element('span', { className: 'fact', textContent: order }));
      if (methods.length > 1) {
        const remove = element('button', { type: 'button', textContent: '×' });
        remove.setAttribute('aria-label', `Remove ${method}`);
        remove.addEventListener('click', () => this.change({ methods: methods.filter((_, k) => k !== i) }, input));
        row.append(remove);
      }
      return row;
    });
    if (methods.length < MOST_METHODS && this.settings.bodies === 0) {
      const more = element('button', { type: 'button', textContent: 'Compare with another' });
      const next = this.problem.integrators.find(({ name }) => !methods.includes(name));
      more.addEventListener('click', () => this.change({ methods: [...methods, next.name] }, more));
      if (next) rows.push(more);
    }
    return this.set('Methods', ...rows, list);
  }

  // The step of methods that are told it, and the tolerance of those that choose it.
  steps() {
    const { methods, step, tolerance } = this.settings;
    const chooses = (method) => this.catalog.methods.some(({ name, adaptive }) => adaptive && name === method);
    const [least, , most] = this.catalog.tolerance;
    const rows = [];
    if (!methods.every(chooses)) {
      rows.push(this.number('h', step, [0, 5 * Math.abs(step)], (x, input) => this.change({ step: x }, input),
        'the step of the methods, in units of time'));
    }
    if (methods.some(chooses)) {
      rows.push(this.number('tolerance', tolerance, [least, most], (x, input) => this.change({ tolerance: x }, input),
        'the error allowed per turn, by methods that choose their steps', true));
    }
    return this.set(rows.length > 1 ? 'Step and tolerance' : methods.some(chooses) ? 'Tolerance' : 'Step', ...rows);
  }

  // The start of one body, and whatever else its kind begins with.
  body(facts) {
    const { settings, problem } = this;
    const inertia = facts.moments;
    const velocity = settings.velocity ?? (settings.momentum ?? null)?.map((m, k) => m / inertia[k]) ?? problem.velocity;
    const started = (change, input) => this.change({ ...change, ...(change.velocity ? { momentum: undefined } : {}) }, input);
    const number = (name) => [1, 2, 3].map((k) => `${name}${k}`);
    const parts = [];
    const own = ['attitude', ...(problem.inertia ? ['inertia'] : []), ...(velocity ? ['velocity', 'momentum'] : [])];
    for (const { name, list, text } of problem.start) {
      if (list || !problem[name] || own.includes(name)) continue;
      const labels = problem[name].map((_, k) => `${name.replaceAll('_', ' ')} ${'xyz'[k] ?? k + 1}`);
      parts.push(this.set(text, ...this.vector(settings[name] ?? problem[name], problem[name], false, labels,
        (x, input) => started({ [name]: x }, input), text)));
    }
    if (problem.inertia) {
      parts.push(this.set('Moments of inertia', ...this.vector(inertia, problem.inertia, true, number('I'),
        (J, input) => started({ inertia: J }, input), 'about a principal axis')));
    }
    const attitude = settings.attitude ?? problem.attitude;
    const turned = element('details', {}, element('summary', { textContent: 'Attitude at the start' }),
      ...attitude.map((x, k) => this.number(`q${k}`, x, [-1, 1], (y, input) => (
        started({ attitude: attitude.map((z, i) => (i === k ? y : z)) }, input)), 'quaternion, scalar first')));
    const turning = velocity ? this.vector(velocity, problem.velocity, false, number('ω'),
      (w, input) => started({ velocity: w }, input), 'in the body, about a principal axis') : [];
    parts.push(this.set(velocity ? 'Angular velocity at the start' : 'Start', ...turning, turned));
    return parts;
  }

  // A switch and how far the starts are apart.
  uncertainty() {
    const now = this.settings.uncertainty;
    const on = element('input', { type: 'checkbox', id: 'uncertain', checked: now > 0 });
    const row = this.number('part', now || USUAL_UNCERTAINTY, [0, MOST_UNCERTAINTY], (x, input) => {
      on.checked = x > 0;
      this.spread(x, input);
    }, 'how much the initial momenta differ, over the momentum');
    on.addEventListener('change', () => this.spread(on.checked ? Number(row.querySelector('[type=number]').value) : 0));
    return this.set('Uncertainty of the start', element('label', {}, on, ' show a cloud of starts on the polhode'), row);
  }

  cloud() {
    const { bodies, spread } = this.settings;
    return this.set('Many bodies',
      this.number('bodies', bodies, [1, 20000], (x, input) => this.change({ bodies: Math.round(x) }, input), 'how many'),
      this.number('spread', spread, [0, 0.2], (x, input) => this.change({ spread: x }, input),
        'how much their velocities differ, over the velocity'));
  }

  parameters() {
    const now = this.facts.parameters;
    const rows = this.problem.parameters.flatMap((parameter) => {
      const values = now.find(({ name }) => name === parameter.name)?.default ?? parameter.default;
      const unit = parameter.unit && parameter.unit !== '1' ? ` (${parameter.unit})` : '';
      const title = `${parameter.text}${unit}`;
      const labels = values.map((_, k) => (values.length > 1 ? `${parameter.name} ${'xyz'[k] ?? k + 1}` : parameter.name));
      const set = (list, input) => this.change({ parameters: { ...this.settings.parameters, [parameter.name]: list } }, input);
      return this.vector(values, parameter.default, values.length === 1 && parameter.default[0] > 0, labels, set, title);
    });
    return this.set('Parameters', ...rows);
  }
}
