// mesh.js - surfaces of triangles from files (STL, OBJ, glTF), and the inertia of what they enclose, at
// density 1, as `polhode inertia` computes it. Volume integrals are sums over the tetrahedra of the origin
// and a triangle (a, b, c), D = a . (b x c), s = a + b + c:
//
//     volume D/6,   integral of x: D s/24,   integral of x_i x_j: D (s_i s_j + a_i a_j + b_i b_j + c_i c_j)/120.

import { numberIn } from './settings.js';

const wrong = (text) => { throw new Error(text); };
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

// ---- files: each reader fills { vertices: [x, y, z, ...], faces: [i, j, k, ...] }

function readStl({ vertices, faces }, bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const text = () => new TextDecoder().decode(bytes);
  if (bytes.length >= 84 && bytes.length === 84 + 50 * view.getUint32(80, true)) {
    for (let at = 84; at < bytes.length; at += 50) {
      for (let k = 0; k < 9; k++) vertices.push(view.getFloat32(at + 12 + 4 * k, true));
    }
  } else if (text().startsWith('solid')) {
    const [, ...after] = text().split('\n').slice(1).join('\n').split('vertex');
    for (const words of after) vertices.push(...words.trim().split(/\s+/, 3).map(numberIn));
  } else wrong('is no STL');
  if (vertices.length % 9 !== 0) wrong('has a facet without three vertices');
  for (let i = 0; i < vertices.length / 3; i++) faces.push(i);
}

function readObj({ vertices, faces }, bytes) {
  for (const line of new TextDecoder().decode(bytes).replace(/\\\r?\n/g, ' ').split('\n')) {
    const [what, ...words] = line.trim().split(/\s+/);
    if (what === 'v') vertices.push(...[0, 1, 2].map((k) => numberIn(words[k] ?? '')));
    if (what !== 'f') continue;
    const corners = words.map((word) => Number.parseInt(word, 10)).map((i) => (i < 0 ? i + vertices.length / 3 : i - 1));
    if (corners.length < 3) wrong('has a face without three vertices');
    for (let k = 2; k < corners.length; k++) faces.push(corners[0], corners[k - 1], corners[k]);
  }
}

const COMPONENTS = { 5121: 'getUint8', 5123: 'getUint16', 5125: 'getUint32', 5126: 'getFloat32' };
const BYTES = { 5121: 1, 5123: 2, 5125: 4, 5126: 4 };

// The numbers of an accessor, `width` in each element.
function numbersOf({ json, buffers }, index, width, types) {
  const accessor = json.accessors?.[index];
  const part = json.bufferViews?.[accessor?.bufferView];
  if (!part || accessor.sparse || !types.includes(accessor.componentType) || !buffers[part.buffer]) wrong('has no triangles of plain numbers');
  const size = BYTES[accessor.componentType];
  const first = (part.byteOffset ?? 0) + (accessor.byteOffset ?? 0);
  const apart = part.byteStride ?? width * size;
  const view = buffers[part.buffer];
  if (!(accessor.count >= 1) || !(first + (accessor.count - 1) * apart + width * size <= view.byteLength)) wrong('has numbers that are not there');
  return Array.from({ length: width * accessor.count }, (_, i) => (
    view[COMPONENTS[accessor.componentType]](first + Math.floor(i / width) * apart + (i % width) * size, true)));
}

// The columns of the matrix of a node: given, or of translation, rotation and scale.
function matrixOf({ matrix, translation = [0, 0, 0], rotation: [x, y, z, w] = [0, 0, 0, 1], scale = [1, 1, 1] }) {
  if (matrix) return [0, 4, 8, 12].map((k) => matrix.slice(k, k + 3));
  const turned = [[1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
    [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)]];
  return [...turned.map((column, k) => column.map((c) => scale[k] * c)), translation];
}

const moved = (to, v, place = 1) => [0, 1, 2].map((k) => to[0][k] * v[0] + to[1][k] * v[1] + to[2][k] * v[2] + place * to[3][k]);

function addNode(mesh, gltf, index, above, depth = 0) {
  const node = gltf.json.nodes?.[index];
  if (!node || depth === 64) wrong('has no tree of nodes');
  const to = matrixOf(node).map((column, k) => moved(above, column, k === 3 ? 1 : 0));
  for (const { attributes, indices, mode = 4 } of gltf.json.meshes?.[node.mesh]?.primitives ?? []) {
    if (mode !== 4) wrong('has no triangles of plain numbers');
    const places = numbersOf(gltf, attributes?.POSITION, 3, [5126]);
    const first = mesh.vertices.length / 3;
    for (let i = 0; i < places.length; i += 3) mesh.vertices.push(...moved(to, places.slice(i, i + 3)));
    const corners = indices === undefined ? places.slice(0, places.length / 3).map((_, i) => i) : numbersOf(gltf, indices, 1, [5121, 5123, 5125]);
    if (corners.some((i) => i >= places.length / 3)) wrong('has an index without a vertex');
    const [j, k] = dot(to[0], cross(to[1], to[2])) < 0 ? [2, 1] : [1, 2]; // mirrored
    for (let i = 0; i + 2 < corners.length; i += 3) mesh.faces.push(first + corners[i], first + corners[i + j], first + corners[i + k]);
  }
  for (const child of node.children ?? []) addNode(mesh, gltf, child, to, depth + 1);
}

function readGltf(mesh, bytes, binary) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (binary && !(bytes.length > 20 && view.getUint32(0, true) === 0x46546c67 && view.getUint32(12, true) <= bytes.length - 20)) wrong('is no binary glTF');
  const end = binary ? 20 + view.getUint32(12, true) : bytes.length;
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(binary ? 20 : 0, end)));
  const inside = (uri) => {
    const [, text] = /^data:[^,]*;base64,(.*)$/s.exec(uri) ?? wrong('needs other files: write it as one file, .glb');
    return new DataView(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
  };
  const buffers = (json.buffers ?? []).map(({ uri }) => (uri === undefined
    ? binary && end + 8 <= bytes.length ? new DataView(bytes.buffer, bytes.byteOffset + end + 8) : null : inside(uri)));
  for (const node of json.scenes?.[json.scene ?? 0]?.nodes ?? wrong('has no scene')) {
    addNode(mesh, { json, buffers }, node, [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]]);
  }
}

export const MESHES = { stl: readStl, obj: readObj, glb: (mesh, bytes) => readGltf(mesh, bytes, true), gltf: (mesh, bytes) => readGltf(mesh, bytes, false) };

// { vertices, faces } of a file; its name ends in one of MESHES.
export function readMesh(suffix, bytes) {
  const mesh = { vertices: [], faces: [] };
  MESHES[suffix](mesh, bytes);
  const { vertices, faces } = mesh;
  if (faces.length === 0) wrong('has no faces');
  if (!vertices.every((x) => Math.abs(x) < 1e100)) wrong('has a vertex that is not three numbers');
  if (faces.some((i) => !(i >= 0 && i < vertices.length / 3))) wrong('has a face without its vertices');
  return mesh;
}

// ---- the surface

// What is wrong with a surface that encloses nothing, or null. Each edge of a closed one is passed once each
// way; vertices in one place are one, and a triangle has three.
export function whyOpen({ vertices, faces }) {
  const count = vertices.length / 3;
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  const compare = (i, j) => vertices[3 * i] - vertices[3 * j] || vertices[3 * i + 1] - vertices[3 * j + 1] || vertices[3 * i + 2] - vertices[3 * j + 2];
  order.sort(compare);
  const names = new Uint32Array(count);
  order.forEach((i, k) => { names[i] = k > 0 && compare(order[k - 1], i) === 0 ? names[order[k - 1]] : i; });
  const edges = []; // twice the ends as one number, and which way
  faces.forEach((_, i) => {
    const [a, b] = [names[faces[i]], names[faces[i % 3 === 2 ? i - 2 : i + 1]]];
    const [first, second, third] = [0, 1, 2].map((k) => names[faces[i - (i % 3) + k]]);
    if (first !== second && second !== third && third !== first) edges.push(2 * (Math.min(a, b) * count + Math.max(a, b)) + (a < b ? 1 : 0));
  });
  const sorted = Float64Array.from(edges).sort();
  let [open, twisted, crowded] = [0, 0, 0];
  for (let i = 0, end = 0; i < sorted.length; i = end) {
    let forward = 0;
    for (; end < sorted.length && Math.floor(sorted[end] / 2) === Math.floor(sorted[i] / 2); end++) forward += sorted[end] % 2;
    if (end - i === 1) open += 1;
    if (2 * forward !== end - i) twisted += 1;
    if (end - i > 2) crowded += 1;
  }
  if (open > 0) return `the surface is open at ${open} edges`;
  if (crowded > 0) return `${crowded} edges belong to more than two faces`;
  return twisted > 0 ? `faces are not oriented alike at ${twisted} edges` : null;
}

// Moments in ascending order and their axes, right-handed, of a symmetric matrix: by Jacobi's rotations.
export function principal(tensor) {
  const A = tensor.map((row) => [...row]);
  const axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  for (let sweep = 0; sweep < 60; sweep++) {
    const [i, j] = [[0, 1], [0, 2], [1, 2]].reduce((a, b) => (Math.abs(A[b[0]][b[1]]) > Math.abs(A[a[0]][a[1]]) ? b : a));
    if (Math.abs(A[i][j]) <= 1e-17 * (A[0][0] + A[1][1] + A[2][2])) break;
    const half = (A[j][j] - A[i][i]) / (2 * A[i][j]);
    const t = (half < 0 ? -1 : 1) / (Math.abs(half) + Math.hypot(1, half));
    const [c, s] = [1 / Math.hypot(1, t), t / Math.hypot(1, t)];
    for (const row of [...A, ...axes]) [row[i], row[j]] = [c * row[i] - s * row[j], s * row[i] + c * row[j]];
    [A[i], A[j]] = [A[i].map((x, k) => c * x - s * A[j][k]), A[i].map((x, k) => s * x + c * A[j][k])];
  }
  const order = [0, 1, 2].sort((a, b) => A[a][a] - A[b][b]);
  const [first, second] = order.map((k) => axes.map((row) => row[k]));
  return { moments: order.map((k) => A[k][k]), axes: [first, second, cross(first, second)] };
}

// { volume, centre, tensor, moments, axes } of density 1, about the centre of mass.
export function solidOf({ vertices, faces }) {
  const count = vertices.length / 3;
  const origin = [0, 1, 2].map((k) => {
    let sum = 0;
    for (let i = 0; i < count; i++) sum += vertices[3 * i + k] / count;
    return sum;
  });
  let volume = 0;
  const first = [0, 0, 0];
  const second = [[0, 0, 0], [0, 0, 0], [0, 0, 0]];
  for (let i = 0; i < faces.length; i += 3) {
    const p = [0, 1, 2].map((n) => [0, 1, 2].map((k) => vertices[3 * faces[i + n] + k] - origin[k]));
    p.push([0, 1, 2].map((k) => p[0][k] + p[1][k] + p[2][k]));
    const D = dot(p[0], cross(p[1], p[2]));
    volume += D / 6;
    p[3].forEach((x, k) => { first[k] += D / 24 * x; });
    for (const x of p) second.forEach((row, k) => row.forEach((_, n) => { row[n] += D / 120 * x[k] * x[n]; }));
  }
  const sign = volume < 0 ? -1 : 1; // inside out
  const c = first.map((x) => x / volume);
  const about = second.map((row, k) => row.map((x, n) => sign * (x - volume * c[k] * c[n])));
  const trace = about[0][0] + about[1][1] + about[2][2];
  const tensor = about.map((row, k) => row.map((x, n) => (k === n ? trace : 0) - x));
  return { volume: sign * volume, centre: c.map((x, k) => origin[k] + x), tensor, ...principal(tensor) };
}
