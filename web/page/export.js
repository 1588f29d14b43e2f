// export.js - pictures, films, tables and scenes of what is shown.

import { toGlb } from './gltf.js';

const SCENE_FRAMES = 1000;
const FILM_SECONDS = 20; // at most
const FILM_RATE = 30;

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
  let recorder = null;
  $('webm').addEventListener('click', guarded(async () => {
    if (recorder) {
      recorder.stop();
      return;
    }
    if (typeof MediaRecorder === 'undefined') throw new Error('this browser cannot record films');
    const type = ['video/webm;codecs=vp8', 'video/webm;codecs=vp9', 'video/webm'].find((t) => MediaRecorder.isTypeSupported(t));
    if (!type) throw new Error('this browser cannot record WebM');
    const pieces = [];
    recorder = new MediaRecorder(stage.canvas.captureStream(FILM_RATE), { mimeType: type });
    recorder.ondataavailable = ({ data }) => pieces.push(data);
    const limit = setTimeout(() => recorder?.stop(), 1000 * FILM_SECONDS);
    recorder.onstop = () => {
      clearTimeout(limit);
      recorder = null;
      $('webm').setAttribute('aria-pressed', 'false');
      $('webm').textContent = 'WebM';
      download(new Blob(pieces, { type: 'video/webm' }), name('webm'));
    };
    recorder.start();
    $('webm').setAttribute('aria-pressed', 'true');
    $('webm').textContent = 'Stop film';
  }));
}
