// plots.js - errors against time, a line for each method.

import uPlot from 'uplot';

const height = () => (innerHeight < 820 ? 104 : 140); // of a small screen

export class Plots {
  constructor(container) {
    this.container = container;
    this.charts = [];
    new ResizeObserver(() => this.fit()).observe(container);
  }

  // Other charts: their titles, and the methods with their colours.
  build(titles, methods, theme, scale) {
    for (const { plot } of this.charts) plot.destroy();
    this.container.replaceChildren();
    this.charts = titles.map((title) => {
      const figure = document.createElement('figure');
      const caption = document.createElement('figcaption');
      caption.textContent = title;
      figure.append(caption);
      this.container.append(figure);
      const log = scale === 'log';
      const axis = { stroke: theme.muted, grid: { stroke: theme.grid, width: 1 }, ticks: { stroke: theme.grid, width: 1 }, font: '11px system-ui, sans-serif' };
      const plot = new uPlot({
        width: 300, height: height(), legend: { show: false }, cursor: { drag: { x: false, y: false }, points: { show: false } },
        scales: { x: { time: false }, y: log ? { distr: 3, range: (_, low, high) => decades(low, high) } : { range: (_, low, high) => [0, high > 0 ? 1.08 * high : 1] } },
        series: [{ label: 't' }, ...methods.map((label, i) => ({ label, stroke: theme.methods[i], width: 1.6, points: { show: false } }))],
        axes: [{ ...axis, size: 30 }, { ...axis, size: 52,
          ...(log ? { filter: (_, splits) => thinned(splits), grid: { ...axis.grid, filter: (_, splits) => thinned(splits) }, ticks: { ...axis.ticks, filter: (_, splits) => thinned(splits) } } : {}),
          values: (_, splits) => splits.map((x) => (x === null ? '' : log ? `1e${Math.round(Math.log10(x))}` : short(x))) }],
      }, [[], ...methods.map(() => [])], figure);
      plot.ctx.canvas.setAttribute('role', 'img');
      plot.ctx.canvas.setAttribute('aria-label', `${title} against time`);
      return { plot, figure };
    });
    this.fit();
  }

  fit() {
    for (const { plot, figure } of this.charts) {
      const width = Math.floor(figure.clientWidth);
      if (width > 0 && (width !== plot.width || height() !== plot.height)) plot.setSize({ width, height: height() });
    }
  }

  show({ times, errors }) {
    errors.forEach((lines, i) => this.charts[i]?.plot.setData([times, ...lines]));
  }
}

const short = (x) => (x === 0 ? '0' : Math.abs(x) < 0.01 || Math.abs(x) >= 1e4 ? x.toExponential(0) : String(Number(x.toPrecision(2))));

function decades(low, high) {
  if (!(low > 0) || !(high > 0)) return [1e-16, 1];
  const from = Math.floor(Math.log10(low));
  const to = Math.max(from + 2, Math.ceil(Math.log10(high) + 0.1));
  return [10 ** from, 10 ** to];
}

// The whole decades of them, at most six.
function thinned(splits) {
  const whole = splits.filter((x) => Math.abs(Math.log10(x) - Math.round(Math.log10(x))) < 1e-9);
  const every = Math.max(1, Math.ceil(whole.length / 6));
  return splits.map((x) => (whole.indexOf(x) >= 0 && whole.indexOf(x) % every === 0 ? x : null));
}
