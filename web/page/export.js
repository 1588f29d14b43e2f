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
  const films = {
    webm: ['video/webm;codecs=vp8', 'video/webm;codecs=vp9', 'video/webm'],
    mp4: ['video/mp4;codecs=avc1.640028', 'video/mp4;codecs=avc1.42E01E', 'video/mp4;codecs=h264'],
  };
  const supported = (id) => (typeof MediaRecorder === 'undefined' ? null : films[id].find((type) => MediaRecorder.isTypeSupported(type)));
  $('mp4').hidden = !supported('mp4'); // of browsers that have the encoder
  for (const id of Object.keys(films)) {
    const text = $(id).textContent;
    $(id).addEventListener('click', guarded(async () => {
      if (recorder) {
        recorder.stop();
        return;
      }
      const type = supported(id);
      if (!type) throw new Error(`this browser cannot record ${text}`);
      const pieces = [];
      recorder = new MediaRecorder(stage.canvas.captureStream(FILM_RATE), { mimeType: type });
      recorder.ondataavailable = ({ data }) => pieces.push(data);
      const limit = setTimeout(() => recorder?.stop(), 1000 * FILM_SECONDS);
      recorder.onstop = () => {
        clearTimeout(limit);
        recorder = null;
        $(id).setAttribute('aria-pressed', 'false');
        $(id).textContent = text;
        download(new Blob(pieces, { type: `video/${id}` }), name(id));
      };
      recorder.start();
      $(id).setAttribute('aria-pressed', 'true');
      $(id).textContent = 'Stop film';
    }));
  }
}
