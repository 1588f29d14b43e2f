// export.js - pictures, films, tables and scenes of what is shown.

import { Gif } from './gif.js';
import { toGlb } from './gltf.js';

const SCENE_FRAMES = 1000;
const FILM_SECONDS = 20; // at most
const FILM_RATE = 30;
const GIF_RATE = 20;
const GIF_WIDTH = 640; // pixels at most

export function download(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export function exporters($, { page, stage, call, message, takePicture }) {
  const name = (suffix) => `polhode-${page.settings.problem}.${suffix}`;
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
  let stop = null; // ends the film that is being recorded
  const films = {
    webm: ['video/webm;codecs=vp8', 'video/webm;codecs=vp9', 'video/webm'],
    mp4: ['video/mp4;codecs=avc1.640028', 'video/mp4;codecs=avc1.42E01E', 'video/mp4;codecs=h264'],
  };
  const supported = (id) => (typeof MediaRecorder === 'undefined' ? null : films[id].find((type) => MediaRecorder.isTypeSupported(type)));
  $('mp4').hidden = !supported('mp4'); // of browsers that have the encoder

  // Two ways to record, until the function that they return is called; `done` is given the file.
  const byBrowser = (id, done) => {
    const type = supported(id);
    if (!type) throw new Error(`this browser cannot record ${id}`);
    const pieces = [];
    const recorder = new MediaRecorder(stage.canvas.captureStream(FILM_RATE), { mimeType: type });
    recorder.ondataavailable = ({ data }) => pieces.push(data);
    recorder.onstop = () => done(new Blob(pieces, { type: `video/${id}` }));
    recorder.start();
    return () => recorder.stop();
  };
  const byFrames = (done) => {
    const { canvas } = stage;
    const scale = Math.min(1, GIF_WIDTH / canvas.width);
    const [width, height] = [canvas.width, canvas.height].map((x) => Math.max(1, Math.floor(scale * x)));
    const pen = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
    const gif = new Gif(width, height);
    const frame = () => {
      stage.dirty = true;
      stage.render(); // what was drawn before is not there any more
      pen.drawImage(canvas, 0, 0, width, height);
      return [pen.getImageData(0, 0, width, height).data, performance.now()];
    };
    let [pixels, since] = frame();
    const add = () => {
      const [next, now] = frame();
      gif.add(pixels, (now - since) / 10);
      [pixels, since] = [next, now];
    };
    const clock = setInterval(add, 1000 / GIF_RATE);
    return () => {
      clearInterval(clock);
      add();
      done(new Blob(gif.end(), { type: 'image/gif' }));
    };
  };

  for (const id of [...Object.keys(films), 'gif']) {
    const text = $(id).textContent;
    $(id).addEventListener('click', guarded(async () => {
      if (stop) {
        stop();
        return;
      }
      let limit = null;
      const end = (blob) => {
        clearTimeout(limit);
        stop = null;
        $(id).setAttribute('aria-pressed', 'false');
        $(id).textContent = text;
        download(blob, name(id));
      };
      stop = id === 'gif' ? byFrames(end) : byBrowser(id, end);
      limit = setTimeout(() => stop?.(), 1000 * FILM_SECONDS);
      $(id).setAttribute('aria-pressed', 'true');
      $(id).textContent = 'Stop film';
    }));
  }
}
