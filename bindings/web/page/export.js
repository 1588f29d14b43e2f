// export.js - pictures, films, tables and scenes of what is shown.

import { canFilm, filmSize, openFilm, RATE } from './film.js';
import { toGlb } from './gltf.js';

const SCENE_FRAMES = 1000;
const FILM_SECONDS = 10; // unless another number is given
const MOST_SECONDS = 120;
const FILM_WAIT = 200;   // milliseconds for the steps to a frame, again and again
const TITLE_HEIGHT = 40; // pixels of the page

export function download(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export function exporters($, { page, stage, call, message, takePicture, play, pend, seek }) {
  const name = (suffix) => `polhode-${(page.preset?.name ?? page.settings.problem).replaceAll('_', '-')}.${suffix}`;
  const guarded = (act) => async () => {
    try {
      await act();
    } catch (error) {
      message(error.message);
    }
  };
  $('png').addEventListener('click', guarded(async () => download(await takePicture(), name('png'))));
  $('csv').addEventListener('click', guarded(async () => {
    download(new Blob([await call('csv')], { type: 'text/csv' }), name('csv'));
  }));
  $('gltf').addEventListener('click', guarded(async () => {
    const rows = await call('track', SCENE_FRAMES);
    if (rows.length < 2) throw new Error('nothing has moved yet: play it first');
    const times = rows.map((row) => Math.abs(row[0] - rows[0][0]) / Math.abs(page.settings.speed || 1));
    download(new Blob([toGlb(times, stage.panes[0].nodes(rows))], { type: 'model/gltf-binary' }), name('glb'));
  }));
  // Films: from the time that is shown, for so many seconds or to the end of the time line, every frame at its own time.
  let filming = null; // { id, stop } of the film that is being made
  async function film(id) {
    const { settings, stale } = page;
    const sign = Math.sign(settings.step);
    const { width: wide, height: high } = stage.canvas;
    const wanted = { title: $('film-title').checked, time: $('film-time').checked, legend: $('film-legend').checked };
    const ratio = wide / Math.max(1, $('stage').clientWidth);
    const band = wanted.title || wanted.time ? Math.round(TITLE_HEIGHT * ratio) : 0;
    const [width, height] = filmSize(id, wide, high + band);
    const canvas = new OffscreenCanvas(width, height);
    const pen = canvas.getContext('2d', { willReadFrequently: id === 'gif' });
    const output = await openFilm(id, width, height);
    const begin = Math.abs(settings.time) < settings.length * (1 - 1e-9) ? settings.time : 0;
    const seconds = Number($('film-seconds').value) || FILM_SECONDS;
    const left = settings.speed > 0 ? settings.length - Math.abs(begin) : Math.abs(begin);
    const count = Math.max(1, Math.min(Math.round(RATE * Math.min(seconds, MOST_SECONDS)), Math.floor(RATE * left / Math.abs(settings.speed || 1)) + 1));
    for (let n = 0; n < count && !filming.stop && page.stale === stale; n++) {
      const time = begin + sign * settings.speed * n / RATE;
      for (let arrived = false; !arrived && page.stale === stale;) ({ arrived } = await seek(time, FILM_WAIT));
      stage.dirty = true;
      stage.render(); // what was drawn before is not there any more
      pen.setTransform(width / wide, 0, 0, width / wide, 0, 0);
      pen.fillStyle = stage.theme.paper;
      pen.fillRect(0, 0, wide, high + band + 2);
      pen.drawImage(stage.canvas, 0, band);
      write(pen, wanted, ratio, wide, band);
      await output.add(canvas);
      $(id).textContent = `Stop, ${Math.floor(100 * (n + 1) / count)} %`;
    }
    download(await output.end(), name(id));
  }

  // What the page says around the picture: the title and the time above it, legends where they stand.
  function write(pen, wanted, ratio, wide, band) {
    const font = (size, weight = 400) => { pen.font = `${weight} ${size * ratio}px system-ui, "DejaVu Sans", sans-serif`; };
    pen.fillStyle = stage.theme.ink;
    pen.textBaseline = 'middle';
    pen.textAlign = 'right';
    font(0.45 * TITLE_HEIGHT);
    const clock = wanted.time ? $('clock').textContent : '';
    pen.fillText(clock, wide - 14 * ratio, band / 2);
    const room = wide - (wanted.time ? pen.measureText(clock).width : 0) - 42 * ratio;
    pen.textAlign = 'left';
    font(0.55 * TITLE_HEIGHT, 600);
    if (wanted.title) pen.fillText($('title').textContent, 14 * ratio, band / 2, room);
    if (!wanted.legend) return;
    const stageBox = $('stage').getBoundingClientRect();
    for (const { element } of stage.panes) {
      for (const word of element.querySelectorAll('h3, p > span')) {
        const { left, top, height } = word.getBoundingClientRect();
        if (height === 0) continue;
        const size = parseFloat(getComputedStyle(word).fontSize);
        const [x, y] = [(left - stageBox.left) * ratio, (top + Math.min(height, 1.45 * size) / 2 - stageBox.top) * ratio + band];
        font(size, word.tagName === 'H3' ? 600 : 400);
        const color = word.style.getPropertyValue('--c');
        pen.fillStyle = color;
        pen.beginPath();
        pen.arc(x + 0.35 * size * ratio, y, 0.35 * size * ratio, 0, 2 * Math.PI);
        if (color) pen.fill();
        pen.fillStyle = stage.theme.ink;
        pen.fillText(word.textContent, x + (color ? 1.05 * size * ratio : 0), y);
      }
    }
  }

  for (const id of ['webm', 'mp4', 'gif']) {
    const words = $(id).textContent;
    canFilm(id).then((can) => { $(id).hidden = !can; });
    $(id).addEventListener('click', guarded(async () => {
      if (filming) {
        filming.stop = true;
        return;
      }
      filming = { id, stop: false };
      play(false);
      while (page.busy) await new Promise((resolve) => { setTimeout(resolve, 10); });
      page.busy = true; // the film moves the time
      pend(filming);
      $(id).setAttribute('aria-pressed', 'true');
      try {
        await film(id);
      } finally {
        pend(filming, false);
        filming = null;
        page.busy = false;
        play(false);
        $(id).setAttribute('aria-pressed', 'false');
        $(id).textContent = words;
      }
    }));
  }
}
