// gltf.js - an animated scene as a binary glTF 2.0 file (.glb).

const GLB = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;
const FLOAT = 5126;
const UNSIGNED_INT = 5125;

// `times` in seconds from the first, growing as 32-bit floats; nodes of
// { name, geometry, translations, rotations }: a geometry of three.js, and
// three and four numbers for each time, or null.
export function toGlb(times, nodes) {
  const pieces = [];
  let length = 0;
  const gltf = { asset: { version: '2.0', generator: 'Polhode' }, scene: 0, scenes: [{ nodes: nodes.map((_, i) => i) }],
    nodes: [], meshes: [], materials: [{ pbrMetallicRoughness: { metallicFactor: 0, roughnessFactor: 0.7 }, doubleSided: true }],
    accessors: [], bufferViews: [], buffers: [], animations: [{ name: 'motion', samplers: [], channels: [] }] };
  const [animation] = gltf.animations;

  const accessor = (array, type, componentType, range = false) => {
    const width = { SCALAR: 1, VEC3: 3, VEC4: 4 }[type];
    const entry = { bufferView: gltf.bufferViews.length, componentType, count: array.length / width, type };
    if (range) {
      entry.min = Array.from({ length: width }, (_, k) => array.reduce((a, x, i) => (i % width === k ? Math.min(a, x) : a), Infinity));
      entry.max = Array.from({ length: width }, (_, k) => array.reduce((a, x, i) => (i % width === k ? Math.max(a, x) : a), -Infinity));
    }
    gltf.bufferViews.push({ buffer: 0, byteOffset: length, byteLength: array.byteLength });
    gltf.accessors.push(entry);
    pieces.push(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    length += array.byteLength; // floats and 32-bit integers: a multiple of four
    return gltf.accessors.length - 1;
  };

  const seconds = Float32Array.from(times);
  if (!seconds.every((t, i) => Number.isFinite(t) && (i === 0 || t > seconds[i - 1]))) {
    throw new Error('a scene takes times that grow, with seven digits: record fewer, or others');
  }
  const clock = accessor(seconds, 'SCALAR', FLOAT, true);
  const meshes = new Map();
  for (const [i, node] of nodes.entries()) {
    const { geometry } = node;
    if (!meshes.has(geometry)) {
      const array = (name) => Float32Array.from(geometry.getAttribute(name).array);
      const attributes = { POSITION: accessor(array('position'), 'VEC3', FLOAT, true), NORMAL: accessor(array('normal'), 'VEC3', FLOAT) };
      if (geometry.getAttribute('color')) attributes.COLOR_0 = accessor(array('color'), 'VEC3', FLOAT);
      const primitive = { attributes, material: 0 };
      if (geometry.index) primitive.indices = accessor(Uint32Array.from(geometry.index.array), 'SCALAR', UNSIGNED_INT);
      meshes.set(geometry, gltf.meshes.push({ primitives: [primitive] }) - 1);
    }
    gltf.nodes.push({ name: node.name, mesh: meshes.get(geometry) });
    for (const [path, values, type] of [['translation', node.translations, 'VEC3'], ['rotation', node.rotations, 'VEC4']]) {
      if (!values) continue;
      const sampler = animation.samplers.push({ input: clock, output: accessor(values, type, FLOAT), interpolation: 'LINEAR' }) - 1;
      animation.channels.push({ sampler, target: { node: i, path } });
    }
  }
  gltf.buffers.push({ byteLength: length });
  return pack(gltf, pieces, length);
}

function pack(gltf, pieces, length) {
  const text = new TextEncoder().encode(JSON.stringify(gltf));
  const padded = (text.length + 3) & ~3;
  const file = new Uint8Array(12 + 8 + padded + 8 + length);
  const words = new DataView(file.buffer);
  [GLB, 2, file.length, padded, JSON_CHUNK].forEach((word, i) => words.setUint32(4 * i, word, true));
  file.fill(0x20, 20, 20 + padded);
  file.set(text, 20);
  words.setUint32(20 + padded, length, true);
  words.setUint32(24 + padded, BINARY_CHUNK, true);
  let at = 28 + padded;
  for (const piece of pieces) {
    file.set(piece, at);
    at += piece.length;
  }
  return file;
}
