// files.js - files that the user opens or drops: meshes, tables, snapshots.

import * as THREE from 'three';
import { OBJLoader } from 'three/addons/loaders/OBJLoader.js';
import { STLLoader } from 'three/addons/loaders/STLLoader.js';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import { areResults, resultsFrom } from './grade.js';
import { shown } from './settings.js';
import { fromCsv } from './table.js';

const MOST_BYTES = 6e7;
const MOST_VERTICES = 2e6;
const SIZE = 1.9; // of the body in its view

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
  if (suffix === 'stl' || suffix === 'obj') return { mesh: meshOf(name, suffix, bytes, text) };
  return wrong(`${name} is no mesh (STL, OBJ), no table (CSV) and no snapshot`);
}

function meshOf(name, suffix, bytes, text) {
  let geometry;
  try {
    if (suffix === 'stl') geometry = new STLLoader().parse(bytes.buffer);
    else {
      const parts = [];
      const places = text().replace(/\\\r?\n/g, '').split('\n').filter((line) => /^\s*[vf]\s/.test(line)); // and faces
      new OBJLoader().parse(places.join('\n')).traverse((thing) => {
        if (!thing.isMesh) return;
        const part = new THREE.BufferGeometry();
        part.setAttribute('position', thing.geometry.getAttribute('position'));
        parts.push(part);
      });
      geometry = parts.length > 0 ? mergeGeometries(parts) : null;
    }
  } catch {
    geometry = null;
  }
  const position = geometry?.getAttribute('position');
  if (!position || position.count < 3 || position.count > MOST_VERTICES || !position.array.every(Number.isFinite)) {
    wrong(`${name} cannot be read as a mesh`);
  }
  geometry.center();
  geometry.computeBoundingSphere();
  const { radius } = geometry.boundingSphere;
  if (!(radius > 0)) wrong(`${name} has no extent`);
  geometry.scale(SIZE / 2 / radius, SIZE / 2 / radius, SIZE / 2 / radius);
  geometry.computeVertexNormals();
  return geometry;
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
