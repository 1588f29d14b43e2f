// gif.js - an animated GIF (GIF89a, CompuServe 1990): of each frame the rectangle that has changed, with up
// to 256 colours of its own.

const COLORS = 256;
const CODES = 4096;

// The colours of pixels by median cut: boxes of 15-bit colours, halved along their longest side, the fullest
// first. { table: 768 bytes, index: of each 15-bit colour }.
function palette(pixels) {
  const count = new Float64Array(32768);
  const sums = new Float64Array(3 * 32768);
  const bin = (i) => (pixels[i] >> 3) << 10 | (pixels[i + 1] >> 3) << 5 | pixels[i + 2] >> 3;
  for (let i = 0; i < pixels.length; i += 4) {
    const at = bin(i);
    count[at] += 1;
    for (let k = 0; k < 3; k++) sums[3 * at + k] += pixels[i + k];
  }
  const side = (at, k) => at >> (10 - 5 * k) & 31;
  const boxOf = (bins) => {
    const extents = [0, 1, 2].map((k) => bins.reduce(([low, high], at) => [Math.min(low, side(at, k)), Math.max(high, side(at, k))], [31, 0]));
    const lengths = extents.map(([low, high]) => high - low);
    const most = Math.max(...lengths);
    return { bins, axis: lengths.indexOf(most), weight: most * Math.sqrt(bins.reduce((sum, at) => sum + count[at], 0)) };
  };
  const boxes = [boxOf(Array.from(count.keys()).filter((at) => count[at] > 0))];
  while (boxes.length < COLORS) {
    const widest = boxes.reduce((a, b) => (b.weight > a.weight ? b : a));
    if (!(widest.weight > 0)) break;
    const { bins, axis } = widest;
    bins.sort((a, b) => side(a, axis) - side(b, axis));
    const half = bins.reduce((sum, at) => sum + count[at], 0) / 2;
    let cut = 0;
    for (let sum = 0; cut < bins.length - 1 && (cut === 0 || sum + count[bins[cut]] / 2 < half); cut++) sum += count[bins[cut]];
    boxes.splice(boxes.indexOf(widest), 1, boxOf(bins.slice(0, cut)), boxOf(bins.slice(cut)));
  }
  const table = new Uint8Array(3 * COLORS);
  const index = new Uint8Array(32768);
  boxes.forEach(({ bins }, n) => {
    const all = bins.reduce((sum, at) => sum + count[at], 0);
    for (const at of bins) index[at] = n;
    for (let k = 0; k < 3; k++) table[3 * n + k] = Math.round(bins.reduce((sum, at) => sum + sums[3 * at + k], 0) / all);
  });
  return { table, indices: Uint8Array.from({ length: pixels.length / 4 }, (_, i) => index[bin(4 * i)]) };
}

// Lempel-Ziv-Welch codes of 9 to 12 bits, in blocks of up to 255 bytes.
function packed(indices) {
  const [clear, end] = [COLORS, COLORS + 1];
  const codes = new Uint16Array(CODES * COLORS); // of a known string and the colour after it; 0: none
  const bytes = [];
  let [bits, held, width, next] = [0, 0, 9, end + 1];
  const put = (code) => {
    bits |= code << held;
    for (held += width; held >= 8; held -= 8, bits >>>= 8) bytes.push(bits & 255);
  };
  put(clear);
  let before = indices[0];
  for (let i = 1; i < indices.length; i++) {
    const key = before * COLORS + indices[i];
    if (codes[key] > 0) {
      before = codes[key];
      continue;
    }
    put(before);
    before = indices[i];
    if (next === CODES) {
      put(clear);
      codes.fill(0);
      [width, next] = [9, end + 1];
    } else {
      if (next === 1 << width) width += 1;
      codes[key] = next;
      next += 1;
    }
  }
  put(before);
  put(end);
  if (held > 0) bytes.push(bits & 255);
  const blocks = [];
  for (let i = 0; i < bytes.length; i += 255) blocks.push(Uint8Array.of(Math.min(255, bytes.length - i), ...bytes.slice(i, i + 255)));
  return [Uint8Array.of(8), ...blocks, Uint8Array.of(0)];
}

const word = (x) => [x & 255, x >> 8];

export class Gif {
  constructor(width, height) {
    Object.assign(this, { width, height, before: null });
    this.parts = [new TextEncoder().encode('GIF89a'), Uint8Array.of(...word(width), ...word(height), 0x70, 0, 0),
      Uint8Array.of(0x21, 0xff, 11), new TextEncoder().encode('NETSCAPE2.0'), Uint8Array.of(3, 1, 0, 0, 0)]; // again and again
  }

  // The smallest rectangle outside of which nothing has changed: [x, y, width, height].
  changed(pixels) {
    const [now, before] = [new Uint32Array(pixels.buffer), this.before];
    if (!before) return [0, 0, this.width, this.height];
    let [left, top, right, bottom] = [this.width, this.height, 0, 0];
    for (let y = 0; y < this.height; y++) {
      for (let x = 0; x < this.width; x++) {
        if (now[y * this.width + x] === before[y * this.width + x]) continue;
        [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x + 1), Math.max(bottom, y + 1)];
      }
    }
    return right > left ? [left, top, right - left, bottom - top] : [0, 0, 1, 1];
  }

  // A frame, by its colours (red, green, blue, alpha), and for how many hundredths of a second it is seen.
  add(pixels, duration) {
    const [x, y, width, height] = this.changed(pixels);
    const part = new Uint8Array(4 * width * height);
    for (let n = 0; n < height; n++) {
      const from = 4 * ((y + n) * this.width + x);
      part.set(pixels.subarray(from, from + 4 * width), 4 * width * n);
    }
    const { table, indices } = palette(part);
    this.parts.push(Uint8Array.of(0x21, 0xf9, 4, 4, ...word(Math.max(2, Math.min(65535, Math.round(duration)))), 0, 0),
      Uint8Array.of(0x2c, ...word(x), ...word(y), ...word(width), ...word(height), 0x87), table, ...packed(indices));
    this.before = new Uint32Array(pixels.slice().buffer);
  }

  // The file.
  end() {
    return [...this.parts, Uint8Array.of(0x3b)];
  }
}
