// files.js - files that the user opens or drops: meshes, tables, snapshots.

import * as THREE from 'three';
import { BODY_SIZE } from './draw.js';
import { areResults, resultsFrom } from './grade.js';
import { MESHES, readMesh, solidOf, whyOpen } from './mesh.js';
import { shown } from './settings.js';
import { fromCsv } from './table.js';

const MOST_BYTES = 6e7;
const MOST_CORNERS = 3e6; // of triangles

const wrong = (text) => { throw new Error(text); };

// What is in a file: { mesh }, { table }, { results } or { snapshot }.
export async function readFile(file) {
  const name = shown(file.name);
  if (file.size > MOST_BYTES) wrong(`${name} is too large for a page`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const suffix = file.name.toLowerCase().match(/\.(\w+)$/)?.[1] ?? '';
  if (String.fromCharCode(...bytes.subarray(0, 7)) === 'POLHODE') return { snapshot: bytes };
  const text = () => {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      return wrong(`${name} is no text in UTF-8`);
    }
  };
  if (suffix === 'csv') {
    const rows = text();
    return areResults(rows) ? { results: resultsFrom(name, rows) } : { table: fromCsv(name, rows) };
  }
  if (Object.hasOwn(MESHES, suffix)) return { mesh: meshOf(name, suffix, bytes) };
  return wrong(`${name} is no mesh (glTF, STL, OBJ), no table (CSV) and no snapshot`);
}

// { name, geometry, solid, why }: the surface, in its principal axes about its centre of mass where it encloses
// one; else `solid` is null and `why` says what is wrong.
function meshOf(name, suffix, bytes) {
  let mesh;
  try {
    mesh = readMesh(suffix, bytes);
  } catch (error) {
    wrong(`${name} ${error instanceof SyntaxError || error instanceof TypeError ? 'cannot be read as a mesh' : error.message}`);
  }
  const { vertices, faces } = mesh;
  if (faces.length > MOST_CORNERS) wrong(`${name} has too many faces for a page`);
  let why = whyOpen(mesh);
  const inside = why ? null : solidOf(mesh);
  if (inside && !(inside.moments[0] > 1e-9 * inside.moments[2])) why = 'it encloses no volume, or is too flat';
  const solid = why ? null : inside;
  const position = new Float32Array(3 * faces.length);
  const { axes, centre } = solid ?? { axes: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], centre: vertices.slice(0, 3) };
  faces.forEach((corner, i) => axes.forEach((axis, k) => {
    position[3 * i + k] = axis.reduce((sum, x, n) => sum + x * (vertices[3 * corner + n] - centre[n]), 0);
  }));
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(position, 3));
  if (!solid) geometry.center();
  let radius = 0;
  for (let i = 0; i < position.length; i += 3) radius = Math.max(radius, Math.hypot(position[i], position[i + 1], position[i + 2]));
  if (!(radius > 0 && radius < Infinity)) wrong(`${name} has no extent`);
  const scale = BODY_SIZE / 2 / radius;
  geometry.scale(scale, scale, scale);
  geometry.computeVertexNormals();
  return { name, geometry, solid, why };
}

// Files of an input and files that are dropped go to `take`.
export function listenForFiles(input, take) {
  input.addEventListener('change', () => {
    if (input.files[0]) take(input.files[0]);
    input.value = '';
  });
  addEventListener('dragover', (event) => {
    event.preventDefault();
    document.body.classList.add('dragging');
  });
  addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) document.body.classList.remove('dragging');
  });
  addEventListener('drop', (event) => {
    event.preventDefault();
    document.body.classList.remove('dragging');
    const [file] = event.dataTransfer.files;
    if (file) take(file);
  });
}
