// What the page writes and reads: pictures, films, tables, scenes; meshes, tables, snapshots.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Gif } from '../page/gif.js';
import { toGlb } from '../page/gltf.js';
import { advance, openFile, save, set, state } from '../testing.mjs';

export async function tables_are_those_of_the_tool({ open, tool, folder }) {
  const page = await open({ drawn: false });
  for (const [problem, method, step] of [['free', 'dmv6', 0.1], ['heavy_top', 's6_10+exact', 0.05], ['double_pendulum', 'rattle', 0.01],
    ['heavy_top', 'gbs', 0.1]]) {
    await set(page, { problem, method, step });
    await advance(page, 50);
    const saved = (await save(page, '#csv')).toString();
    const file = join(folder, 'web', 'tool.csv');
    execFileSync(tool, ['run', '--problem', problem, '--method', method, '--step', String(step), '--time', String(Number((50 * step).toPrecision(6))), '--out', file], { stdio: 'ignore' });
    assert.equal(saved, readFileSync(file, 'utf8'), problem);
  }
  await page.done();
}

export async function pictures_are_saved({ open }) {
  const page = await open({ width: 700, height: 500 });
  const png = await save(page, '#png');
  assert.equal(png.subarray(1, 4).toString(), 'PNG');
  const [width, height] = await page.evaluate(() => [document.getElementById('canvas').width, document.getElementById('canvas').height]);
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [width, height]);
  assert.ok(png.length > 5000);
  await page.done();
}

// A film as the browser plays it: how long, how large, and checksums of some of its frames.
const played = (page, type, file, frames) => page.evaluate(async ([kind, bytes, wanted]) => {
  const video = Object.assign(document.createElement('video'), { muted: true });
  const address = URL.createObjectURL(new Blob([Uint8Array.from(bytes)], { type: kind }));
  await new Promise((done, failed) => {
    video.onloadeddata = done;
    video.onerror = () => failed(new Error(video.error.message));
    video.src = address;
  });
  const pen = new OffscreenCanvas(video.videoWidth, video.videoHeight).getContext('2d', { willReadFrequently: true });
  const sums = [];
  for (const n of wanted) {
    video.currentTime = (n + 0.5) / 30;
    await new Promise((done) => { video.onseeked = done; });
    let sum = sums.at(-1);
    for (let again = 0; again < 100 && sum === sums.at(-1); again++) { // the frame may come some time after the event
      await new Promise((done) => { requestAnimationFrame(done); });
      pen.drawImage(video, 0, 0);
      sum = pen.getImageData(0, 0, video.videoWidth, video.videoHeight).data.reduce((total, x) => (Math.imul(total, 31) + x) | 0, 0);
    }
    sums.push(sum);
  }
  return { duration: video.duration, size: [video.videoWidth, video.videoHeight], sums };
}, [type, [...file], frames]);

// Thirty frames in a second of film, whatever the screen and the computer do, each at its own time.
export async function films_have_thirty_frames_a_second({ open, pictures }) {
  const page = await open({ view: 'lecture', width: 480, height: 420 });
  await page.evaluate(() => { document.getElementById('film-seconds').value = '1'; });
  for (const id of ['webm', 'mp4']) {
    if (!await page.isVisible(`#${id}`)) continue; // a browser without this encoder
    await page.evaluate(() => window.polhode.preset('t_handle'));
    const [download] = await Promise.all([page.waitForEvent('download'), page.click(`#${id}`)]);
    assert.equal(download.suggestedFilename(), `polhode-t-handle.${id}`);
    const file = readFileSync(await download.path());
    writeFileSync(join(pictures, `film.${id}`), file);
    await page.waitForFunction((one) => document.getElementById(one).textContent.toLowerCase() === one, id);
    const { time } = await state(page); // of the last frame, 29/30 s at a speed of 0.3, rounded to a step
    assert.ok(Math.abs(time - 0.3 * 29 / 30) <= 0.011, `${time}`);
    const { duration, size, sums } = await played(page, `video/${id}`, file, [0, 1, 2, 15, 29]);
    assert.equal(duration, 1);
    assert.equal(new Set(sums).size, 5, 'frames are alike');
    const [width, height] = await page.evaluate(() => [document.getElementById('canvas').width, document.getElementById('canvas').height]);
    assert.deepEqual(size, [width, height + 40].map((x) => 2 * Math.floor(x / 2)), 'the picture, and its title above');
  }
  await page.done();
}

// The frames of a GIF as the browser decodes them: { size, milliseconds, sum } and `pixels` of small ones.
const decoded = (page, file) => page.evaluate(async (bytes) => {
  const decoder = new ImageDecoder({ data: Uint8Array.from(bytes), type: 'image/gif' });
  await decoder.tracks.ready;
  await decoder.completed;
  const frames = [];
  for (let frameIndex = 0; frameIndex < decoder.tracks.selectedTrack.frameCount; frameIndex++) {
    const { image } = await decoder.decode({ frameIndex });
    const pen = new OffscreenCanvas(image.displayWidth, image.displayHeight).getContext('2d');
    pen.drawImage(image, 0, 0);
    const { data, width, height } = pen.getImageData(0, 0, image.displayWidth, image.displayHeight);
    frames.push({ milliseconds: image.duration / 1000, size: [width, height], pixels: width < 100 ? [...data] : null,
      sum: data.reduce((sum, x) => (Math.imul(sum, 31) + x) | 0, 0) });
    image.close();
  }
  return frames;
}, [...file]);

export async function gif_frames_are_the_pixels_given({ open }) {
  const page = await open({ drawn: false });
  const [width, height] = [90, 70];
  const noise = (i) => Math.imul(i * i + 7 * i, 2654435761) >>> 24;
  const frame = (color) => Uint8ClampedArray.from({ length: 4 * width * height }, (_, i) => (i % 4 === 3 ? 255 : color(Math.floor(i / 4), i % 4)));
  const given = [frame(() => 18), frame((i, k) => (i % width < 20 && i > 200 ? 200 - 40 * k : 18)), // few colours: exactly
    frame((i, k) => [i % width * 2, Math.floor(i / width) * 3, 90][k]), frame((i, k) => noise(3 * i + k))];
  const gif = new Gif(width, height);
  given.forEach((pixels, n) => gif.add(pixels, 4 + n));
  const seen = await decoded(page, Buffer.concat(gif.end()));
  assert.equal(seen.length, given.length);
  seen.forEach(({ pixels, milliseconds, size }, n) => {
    assert.deepEqual(size, [width, height]);
    assert.equal(milliseconds, 10 * (4 + n));
    const off = pixels.map((x, i) => Math.abs(x - given[n][i]));
    const allowed = [[0, 0], [0, 0], [12, 4], [70, 20]][n]; // at most, and on average; noise has all colours
    assert.ok(Math.max(...off) <= allowed[0] && off.reduce((a, b) => a + b) / off.length <= allowed[1], `frame ${n}: ${Math.max(...off)}, ${off.reduce((a, b) => a + b) / off.length}`);
  });
  await page.done();
}

export async function gif_films_move({ open, pictures }) {
  const page = await open({ view: 'lecture', width: 700, height: 400 });
  await page.evaluate(() => { document.getElementById('film-seconds').value = '0.5'; });
  const film = await save(page, '#gif');
  writeFileSync(join(pictures, 'film.gif'), film);
  const frames = await decoded(page, film);
  const [width, height] = await page.evaluate(() => [document.getElementById('canvas').width, document.getElementById('canvas').height]);
  assert.deepEqual(frames[0].size, [640, 2 * Math.floor(640 / width * (height + 40) / 2)]);
  assert.equal(frames.length, 15);
  assert.equal(new Set(frames.map(({ sum }) => sum)).size, 15);
  assert.equal(frames.reduce((sum, { milliseconds }) => sum + milliseconds, 0), 500);
  await page.evaluate(() => { for (const one of document.querySelectorAll('#film [type=checkbox]')) one.checked = false; });
  assert.deepEqual((await decoded(page, await save(page, '#gif')))[0].size, [640, 2 * Math.floor(640 / width * height / 2)], 'the picture alone');
  await page.done();
}

// A film that is stopped has the frames so far, and the page goes on.
export async function films_are_stopped({ open }) {
  const page = await open({ view: 'lecture', width: 400, height: 400 });
  await page.click('#gif');
  await page.waitForFunction(() => /^Stop, [1-9]/.test(document.getElementById('gif').textContent));
  assert.equal(await page.getAttribute('main', 'aria-busy'), 'true');
  const frames = await decoded(page, await save(page, '#gif'));
  assert.ok(frames.length > 1 && frames.length < 300, `${frames.length} frames`);
  await page.waitForFunction(() => document.getElementById('gif').textContent === 'GIF' && document.querySelector('main').getAttribute('aria-busy') === 'false');
  await page.click('#restart');
  await page.waitForFunction(() => window.polhode.state().time < 0.05);
  await page.done();
}

// The JSON and the numbers of a .glb.
function glb(file) {
  assert.equal(file.readUInt32LE(0), 0x46546c67);
  assert.equal(file.readUInt32LE(8), file.length);
  const length = file.readUInt32LE(12);
  const json = JSON.parse(file.subarray(20, 20 + length).toString());
  const numbers = (i) => {
    const view = json.bufferViews[json.accessors[i].bufferView];
    const bytes = file.subarray(28 + length + view.byteOffset, 28 + length + view.byteOffset + view.byteLength);
    return Array.from({ length: bytes.length / 4 }, (_, k) => bytes.readFloatLE(4 * k));
  };
  return { json, numbers };
}

export async function scenes_move_as_the_body_does({ open }) {
  const page = await open();
  for (const problem of ['slow_top', 'magnets', 'vortices', 'dipolar_spheres']) {
    await set(page, { problem, step: 0.001 });
    await advance(page, 20);
    const { json, numbers } = glb(await save(page, '#gltf'));
    const { samplers, channels } = json.animations[0];
    assert.ok(json.nodes.length >= 1 && channels.length >= json.nodes.length);
    assert.equal(numbers(samplers[0].input).length, 21);
    if (problem === 'slow_top') {
      const { attitude: [w, x, y, z] } = await state(page);
      const last = numbers(samplers[0].output).slice(-4);
      [x, y, z, w].forEach((value, k) => assert.ok(Math.abs(value - last[k]) < 1e-6));
    }
  }
  await page.done();
}

const TWISTED = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n';

export async function files_are_read_or_refused_with_a_message({ open }) {
  const page = await open();
  const before = await page.evaluate(async () => (await window.polhode.picture()).size);
  assert.match(await openFile(page, 'tetrahedron.obj', TWISTED, true), /^tetrahedron.obj is drawn, but its inertia is not known: faces are not oriented alike/);
  assert.notEqual(await page.evaluate(async () => (await window.polhode.picture()).size), before);
  assert.equal(await openFile(page, 'rows.csv', 't,q0,q1,q2,q3\n0,1,0,0,0\n1,0.6,0.8,0,0\n2,0,1,0,0\n'), '');
  assert.deepEqual((await state(page)).attitude, [1, 0, 0, 0]);
  await set(page, { problem: 'free' });
  const hostile = [['a.obj', 'v a b c\nf 1 2 3\n'], ['a.obj', ''], ['a.stl', 'solid x'], ['a.stl', '\0'.repeat(84)], ['a.csv', ''],
    ['a.csv', 't,q0,q1,q2,q3\n0,1,0,0\n'], ['a.csv', 't,q0,q1,q2,q3\n0,x,0,0,0\n'], ['<b>.csv', 'a,b\n1,2\n'],
    ['a.snapshot', 'POLHODE\0broken'], ['a.html', '<script>alert(1)</script>'], ['a.csv', 't,q0,q1,q2,q3\n0,1e999,0,0,0\n']];
  for (const [name, text] of hostile) {
    const said = await openFile(page, name, text);
    assert.ok(said.length > 0 && said.length < 300 && !said.includes('computation stopped'), `${name} ${JSON.stringify(text)}: ${said}`);
  }
  assert.equal(await page.evaluate(() => document.querySelectorAll('b, img').length), 0);
  await advance(page, 3);
  await page.done();
}

for (const test of [tables_are_those_of_the_tool, pictures_are_saved, films_have_thirty_frames_a_second, gif_films_move, films_are_stopped, scenes_move_as_the_body_does]) test.downloads = true;

export async function scenes_take_times_that_grow_as_floats() {
  for (const times of [[0, 1, 1], [0, 1e6, 1e6 + 0.01], [0, 1, 0.5], [0, 1e39], [0, NaN]]) assert.throws(() => toGlb(times, []), /times that grow/);
  assert.equal(toGlb([0, 0.01, 0.02], []).length % 4, 0);
}
