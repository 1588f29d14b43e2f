// Shapes of the user's own: boxes by their edges, and meshes, whose inertia is that of `polhode inertia`.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { principal, readMesh, solidOf, whyOpen } from '../page/mesh.js';
import { fragment, message, openFile, pixels, set, settled, state } from '../testing.mjs';

// Closed surfaces as { vertices: [[x, y, z], ...], faces: [[i, j, k], ...] }.
const prism = (outline, height) => { // over a polygon that is seen whole from its first corner
  const n = outline.length;
  const fan = (turn) => Array.from({ length: n - 2 }, (_, k) => turn([0, k + 1, k + 2]));
  return { vertices: [0, height].flatMap((z) => outline.map(([x, y]) => [x, y, z])), faces: [
    ...fan(([a, b, c]) => [a, c, b]), ...fan((face) => face.map((i) => i + n)),
    ...outline.flatMap((_, i) => [[i, (i + 1) % n, n + (i + 1) % n], [i, n + (i + 1) % n, n + i]])] };
};
const shifted = ({ vertices, faces }, turn, by) => ({ faces, vertices: vertices.map((v) => {
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  const [x, y, z] = [c * v[0] - s * v[2], v[1], s * v[0] + c * v[2]];
  return [c * x - s * y + by, s * x + c * y - 2 * by, z + 3 * by];
}) });
const SOLIDS = {
  box: prism([[0, 0], [1, 0], [1, 0.6], [0, 0.6]], 0.25),
  angle: prism([[0, 0], [3, 0], [3, 1], [1, 1], [1, 2], [0, 2]], 0.5), // an L: its corner sees the rest
  tetrahedron: { vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], faces: [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] },
  turned: shifted(prism([[0, 0], [3, 0], [3, 1], [1, 1], [1, 2], [0, 2]], 0.5), 0.7, 40),
};

// ---- files of them

const obj = ({ vertices, faces }) => `# a comment\n${vertices.map((v) => `v ${v.join(' ')}`).join('\n')}\n${
  faces.map((face) => `f ${face.map((i) => `${i + 1}//1`).join(' ')}`).join('\n')}\n`;
const stl = ({ vertices, faces }) => `solid vertex\n${faces.map((face) => (
  `facet normal 0 0 0\nouter loop\n${face.map((i) => `vertex ${vertices[i].join(' ')}`).join('\n')}\nendloop\nendfacet`)).join('\n')}\nendsolid\n`;
function binaryStl({ vertices, faces }) {
  const file = Buffer.alloc(84 + 50 * faces.length);
  file.writeUInt32LE(faces.length, 80);
  faces.forEach((face, i) => face.forEach((corner, n) => vertices[corner].forEach((x, k) => file.writeFloatLE(x, 96 + 50 * i + 12 * n + 4 * k))));
  return file;
}
// Below a node that mirrors and one that turns, moves and scales.
function gltf({ vertices, faces }, binary) {
  const places = Buffer.from(Float32Array.from(vertices.flat()).buffer);
  const corners = Buffer.from(Uint16Array.from([...faces.flat(), 0]).buffer).subarray(0, 6 * faces.length);
  const data = Buffer.concat([places, corners, Buffer.alloc(-corners.length & 3)]);
  const json = JSON.stringify({ asset: { version: '2.0' }, scenes: [{ nodes: [0] }],
    nodes: [{ children: [1], matrix: [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1] },
      { mesh: 0, translation: [1, 2, 3], rotation: [0.1, 0.7, 0.1, 0.7], scale: [1, 2, 3] }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    accessors: [{ bufferView: 0, componentType: 5126, count: vertices.length, type: 'VEC3' }, { bufferView: 1, componentType: 5123, count: 3 * faces.length, type: 'SCALAR' }],
    bufferViews: [{ buffer: 0, byteLength: places.length }, { buffer: 0, byteOffset: places.length, byteLength: corners.length }],
    buffers: [{ byteLength: data.length, ...(binary ? {} : { uri: `data:application/octet-stream;base64,${data.toString('base64')}` }) }] });
  if (!binary) return Buffer.from(json);
  const text = Buffer.from(json.padEnd((json.length + 3) & ~3));
  const words = (...list) => Buffer.from(Uint32Array.from(list).buffer);
  return Buffer.concat([words(0x46546c67, 2, 28 + text.length + data.length, text.length, 0x4e4f534a), text, words(data.length, 0x004e4942), data]);
}

const near = (a, b, scale, what) => [a].flat(2).forEach((x, k) => assert.ok(Math.abs(x - [b].flat(2)[k]) <= 1e-12 * scale, `${what}: ${x}, ${[b].flat(2)[k]}`));

export async function meshes_have_the_inertia_that_the_tool_computes({ folder, tool }) {
  for (const [name, solid] of Object.entries(SOLIDS)) {
    const files = { stl: stl(solid), obj: obj(solid), glb: gltf(solid, true) };
    for (const [suffix, content] of [...Object.entries(files), ['stl', binaryStl(solid)]]) {
      const path = join(folder, 'web', `solid.${suffix}`);
      writeFileSync(path, content);
      const known = JSON.parse(execFileSync(tool, ['inertia', path, '--json'], { encoding: 'utf8' }));
      const mesh = readMesh(suffix, new Uint8Array(Buffer.from(content)));
      assert.equal(whyOpen(mesh), null);
      const { volume, centre, tensor, moments, axes } = solidOf(mesh);
      const [what, most] = [`${name}.${suffix}`, known.moments[2]];
      near(volume, known.volume, known.volume, what);
      near(centre, known.centre, Math.hypot(...known.centre), what);
      near([[0, 0], [1, 1], [2, 2], [0, 1], [0, 2], [1, 2]].map(([i, j]) => tensor[i][j]), known.tensor, most, what);
      near(moments, known.moments, most, what);
      const again = [0, 1, 2].map((i) => [0, 1, 2].map((j) => axes.reduce((sum, axis, k) => sum + moments[k] * axis[i] * axis[j], 0)));
      near(again, tensor, most, `${what}: its axes`);
    }
    assert.deepEqual(solidOf(readMesh('gltf', new Uint8Array(gltf(solid, false)))), solidOf(readMesh('glb', new Uint8Array(files.glb))));
  }
  near(solidOf(readMesh('obj', Buffer.from(obj(SOLIDS.box)))).moments, [0.15 * 0.4225 / 12, 0.15 * 1.0625 / 12, 0.15 * 1.36 / 12], 1, 'a box');
  near(principal([[2, 1, 0], [1, 2, 0], [0, 0, 7]]).moments, [1, 3, 7], 7, 'a matrix');
  const { vertices, faces } = SOLIDS.tetrahedron;
  const why = (list) => whyOpen(readMesh('obj', Buffer.from(obj({ vertices, faces: list }))));
  assert.match(why(faces.slice(1)), /open at 3 edges/);
  assert.match(why([...faces, ...faces]), /6 edges belong to more than two faces/);
  assert.match(why([faces[0], ...faces.slice(1).map(([a, b, c]) => [a, c, b])]), /not oriented alike at 3 edges/);
}

const named = (J) => J.map((x, k) => `J${'₁₂₃'[k]} = ${Number(x.toPrecision(4))}`).join(', ');
const fact = (page) => page.evaluate(() => document.getElementById('fact').textContent);

export async function meshes_are_drawn_and_turned_with_their_inertia({ open, pictures }) {
  const page = await open({ view: 'lecture', width: 1280, height: 720 });
  const sums = new Set([(await pixels(page)).sum]);
  for (const [suffix, content] of [['glb', gltf(SOLIDS.angle, true)], ['gltf', gltf(SOLIDS.box, false)], ['stl', stl(SOLIDS.angle)], ['obj', obj(SOLIDS.box)]]) {
    assert.equal(await openFile(page, `shape.${suffix}`, content, suffix !== 'glb'), '');
    const known = solidOf(readMesh(suffix, new Uint8Array(Buffer.from(content))));
    assert.equal(await page.evaluate(() => document.getElementById('name').textContent), `shape.${suffix}`);
    assert.ok((await fact(page)).includes(named(known.moments)), await fact(page));
    const { momentum, velocity } = await state(page);
    near(momentum, velocity.map((w, k) => w * known.moments[k]), known.moments[2] * 6, suffix);
    sums.add((await pixels(page)).sum);
  }
  assert.equal(sums.size, 5);
  await openFile(page, 'angle.stl', stl(SOLIDS.angle));
  await page.screenshot({ path: join(pictures, 'own-mesh.png') });
  const sentence = await openFile(page, 'open.obj', obj({ ...SOLIDS.tetrahedron, faces: SOLIDS.tetrahedron.faces.slice(1) }));
  assert.match(sentence, /open at 3 edges/);
  for (const [name, content] of [['a.glb', 'glTF'], ['a.gltf', '{"buffers":[{"uri":"other.bin"}]}'], ['a.gltf', '{'], ['a.glb', gltf(SOLIDS.box, true).subarray(0, -50)],
    ['a.obj', 'v 0 0 0\nf 1 2 3\n'], ['a.stl', 'solid\nvertex 1 2\n']]) {
    const said = await openFile(page, name, content);
    assert.ok(said.startsWith(name) && said.length < 100, said);
  }
  await page.evaluate(() => window.polhode.show('laboratory')); // in a field, its largest moment stays
  await set(page, { problem: 'heavy_top', method: 'verlet+exact', step: 0.01, inertia: [5, 5, 1] });
  assert.equal(await openFile(page, 'angle.stl', stl(SOLIDS.angle)), '');
  const J = await page.evaluate(() => [1, 2, 3].map((k) => Number([...document.querySelectorAll('.row')].find((row) => row.textContent === `I${k}`).querySelector('[type=number]').value)));
  const { moments } = solidOf(readMesh('stl', Buffer.from(stl(SOLIDS.angle))));
  near(J, moments.map((x) => 5 * x / moments[2]), 5, 'in a field');
  await page.done();
}

export async function boxes_are_given_by_their_edges({ open, pictures }) {
  const page = await open({ view: 'lecture', width: 390, height: 844 });
  await page.evaluate(() => window.polhode.preset('box'));
  const enter = async (edges) => {
    await page.evaluate((list) => {
      const inputs = [...document.querySelectorAll('#edges input')];
      inputs.forEach((input, k) => { input.value = String(list[k]); });
      inputs[0].dispatchEvent(new Event('change', { bubbles: true }));
    }, edges);
    await settled(page);
  };
  const first = (await pixels(page)).sum;
  for (const edges of [[2, 1, 0.5], [0.3, 0.9, 0.6], [1, 1, 0.2]]) {
    await enter(edges);
    const [a, b, c] = edges.map((x) => x * x / 12);
    const { momentum, velocity } = await state(page);
    near(momentum, [b + c, a + c, a + b].map((x, k) => x * velocity[k]), 6, edges);
    assert.ok((await fact(page)).includes(named([b + c, a + c, a + b])), await fact(page));
    assert.notEqual((await pixels(page)).sum, first);
    if (edges[2] === 0.2) continue;
    const most = velocity.indexOf(Math.max(...velocity)); // about the middle edge
    assert.equal([...edges].sort()[1], edges[most]);
  }
  await enter([2, 1, 0.5]);
  const again = await open({ fragment: await fragment(page) });
  await settled(again);
  assert.deepEqual(await again.evaluate(() => [...document.querySelectorAll('#edges input')].map(({ value }) => Number(value))), [2, 1, 0.5]);
  await again.done();
  const before = await state(page);
  await enter([2, -1, 0.5]);
  assert.match(await message(page), /an edge must be a positive number/);
  assert.deepEqual(await state(page), before);
  await page.screenshot({ path: join(pictures, 'own-box.png') });
  await page.done();
}
