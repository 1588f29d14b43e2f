// film.js - films, frame by frame: WebM and MP4 by the encoders of the browser (WebCodecs), GIF by our own. Every frame
// lasts 1/30 s, however long it takes to make it.

import { Gif } from './gif.js';

export const RATE = 30;        // frames a second
const KEY = 2 * RATE;          // frames from one that stands alone to the next
const MOST_PIXELS = 2e6;       // of a frame: what players of H.264 level 4 take
const GIF_WIDTH = 640;
const BITS = 0.25;             // of a film, for each pixel
const MOST_WAITING = 4;        // frames in the encoder
const CODECS = { webm: ['vp8', 'vp09.00.40.08'], mp4: ['avc1.640028', 'avc1.4d0028', 'avc1.42e028'] };

// ---- bytes

const bytes = (x, count) => Uint8Array.from({ length: count }, (_, i) => Math.floor(x / 256 ** (count - 1 - i)) % 256);
const u16 = (...list) => joined(list.map((x) => bytes(x, 2)));
const u32 = (...list) => joined(list.map((x) => bytes(x, 4)));
const text = (words) => new TextEncoder().encode(words);
function joined(parts) {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((at, part) => (out.set(part, at), at + part.length), 0);
  return out;
}

// ---- WebM: elements of an identifier, a length of eight bytes and what they contain

const element = (id, ...content) => {
  const inside = joined(content);
  return joined([bytes(id, Math.ceil(Math.log2(id + 1) / 8)), Uint8Array.of(1), bytes(inside.length, 7), inside]);
};
const number = (id, x) => element(id, bytes(x, 8));
const real = (id, x) => element(id, new Uint8Array(new Float64Array([x]).buffer).reverse());

// Chunks { data, key } as a file.
export function webm(chunks, width, height, codec) {
  const milliseconds = (n) => Math.round(1000 * n / RATE);
  const keys = chunks.flatMap(({ key }, n) => (key ? [n] : []));
  const clusters = keys.map((first, i) => element(0x1f43b675, number(0xe7, milliseconds(first)),
    ...chunks.slice(first, keys[i + 1]).map(({ data, key }, n) => (
      element(0xa3, Uint8Array.of(0x81), u16(milliseconds(first + n) - milliseconds(first)), Uint8Array.of(key ? 0x80 : 0), data)))));
  const head = [
    element(0x1549a966, number(0x2ad7b1, 1e6), real(0x4489, 1000 * chunks.length / RATE), element(0x4d80, text('Polhode')), element(0x5741, text('Polhode'))),
    element(0x1654ae6b, element(0xae, number(0xd7, 1), number(0x73c5, 1), number(0x83, 1), number(0x9c, 0), number(0x23e383, Math.round(1e9 / RATE)),
      element(0x86, text(codec === 'vp8' ? 'V_VP8' : 'V_VP9')), element(0xe0, number(0xb0, width), number(0xba, height)))),
  ];
  const cues = (from) => { // where clusters begin, so that players find a time
    let at = from;
    return element(0x1c53bb6b, ...clusters.map((cluster, i) => {
      at += cluster.length;
      return element(0xbb, number(0xb3, milliseconds(keys[i])), element(0xb7, number(0xf7, 1), number(0xf1, at - cluster.length)));
    }));
  };
  const before = joined(head).length + cues(0).length;
  return joined([element(0x1a45dfa3, number(0x4286, 1), number(0x42f7, 1), number(0x42f2, 4), number(0x42f3, 8), element(0x4282, text('webm')),
    number(0x4287, 4), number(0x4285, 2)), element(0x18538067, ...head, cues(before), ...clusters)]);
}

// ---- MP4: boxes of a length, a name and what they contain

const box = (name, ...content) => {
  const inside = joined(content);
  return joined([u32(inside.length + 8), text(name), inside]);
};
const full = (name, flags, ...content) => box(name, u32(flags), ...content);
const MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

export function mp4(chunks, width, height, description) {
  const [scale, each] = [1000 * RATE, 1000];
  const duration = each * chunks.length;
  const keys = chunks.flatMap(({ key }, n) => (key ? [n + 1] : []));
  const sample = box('avc1', new Uint8Array(6), u16(1), new Uint8Array(16), u16(width, height), u32(0x480000, 0x480000, 0), u16(1),
    new Uint8Array(32), u16(24, 0xffff), box('avcC', description));
  const movie = (offset) => box('moov',
    full('mvhd', 0, u32(0, 0, scale, duration, 0x10000), u16(0x100), new Uint8Array(10), MATRIX, new Uint8Array(24), u32(2)),
    box('trak', full('tkhd', 3, u32(0, 0, 1, 0, duration), new Uint8Array(16), MATRIX, u32(width * 65536, height * 65536)),
      box('mdia', full('mdhd', 0, u32(0, 0, scale, duration), u16(0x55c4, 0)), full('hdlr', 0, u32(0), text('vide'), new Uint8Array(13)),
        box('minf', full('vmhd', 1, new Uint8Array(8)), box('dinf', full('dref', 0, u32(1), full('url ', 1))),
          box('stbl', full('stsd', 0, u32(1), sample), full('stts', 0, u32(1, chunks.length, each)), full('stss', 0, u32(keys.length, ...keys)),
            full('stsc', 0, u32(1, 1, chunks.length, 1)), full('stsz', 0, u32(0, chunks.length, ...chunks.map(({ data }) => data.length))),
            full('stco', 0, u32(1, offset)))))));
  const type = box('ftyp', text('isom'), u32(512), text('isomiso2avc1mp41'));
  const data = joined(chunks.map((chunk) => chunk.data));
  return joined([type, movie(type.length + movie(0).length + 8), box('mdat', data)]);
}

// ---- films

async function codecOf(id, width, height) {
  if (typeof VideoEncoder === 'undefined') return null;
  for (const codec of CODECS[id]) {
    const config = { codec, width, height, framerate: RATE, bitrate: Math.max(1e6, BITS * RATE * width * height), ...(id === 'mp4' ? { avc: { format: 'avc' } } : {}) };
    if ((await VideoEncoder.isConfigSupported(config).catch(() => ({}))).supported) return config;
  }
  return null;
}

// Whether this browser can make films of a kind; GIF it always can.
export const canFilm = async (id) => id === 'gif' || await codecOf(id, 640, 360) !== null;

// The size of a film of pictures of a size: not too large, and even.
export function filmSize(id, width, height) {
  const scale = Math.min(1, Math.sqrt(MOST_PIXELS / (width * height)), id === 'gif' ? GIF_WIDTH / width : 1);
  return [width, height].map((x) => Math.max(2, 2 * Math.floor(scale * x / 2)));
}

// { add(canvas), end() }: takes frames, one after the other, and gives the file.
export async function openFilm(id, width, height) {
  if (id === 'gif') {
    const gif = new Gif(width, height);
    let count = 0;
    const at = (n) => Math.round(100 * n / RATE);
    return { add: async (canvas) => {
      gif.add(canvas.getContext('2d').getImageData(0, 0, width, height).data, at(count + 1) - at(count));
      count += 1;
    }, end: async () => new Blob(gif.end(), { type: 'image/gif' }) };
  }
  const config = await codecOf(id, width, height);
  if (!config) throw new Error(`this browser cannot make films in ${id}: take GIF`);
  const chunks = [];
  let description = null;
  let failure = null;
  let count = 0;
  const encoder = new VideoEncoder({
    output: (chunk, about) => {
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      chunks.push({ data, key: chunk.type === 'key' });
      if (about?.decoderConfig?.description) description = new Uint8Array(about.decoderConfig.description.slice?.(0) ?? about.decoderConfig.description);
    },
    error: (error) => { failure = error; },
  });
  encoder.configure(config);
  const checked = () => { if (failure) throw new Error(`the film cannot be made: ${failure.message}`); };
  return {
    async add(canvas) {
      checked();
      const frame = new VideoFrame(canvas, { timestamp: Math.round(1e6 * count / RATE), duration: Math.round(1e6 / RATE) });
      encoder.encode(frame, { keyFrame: count % KEY === 0 });
      frame.close();
      count += 1;
      while (encoder.encodeQueueSize > MOST_WAITING && !failure) await new Promise((resolve) => { setTimeout(resolve, 5); });
    },
    async end() {
      await encoder.flush();
      checked();
      encoder.close();
      const file = id === 'webm' ? webm(chunks, width, height, config.codec) : mp4(chunks, width, height, description);
      return new Blob([file], { type: `video/${id}` });
    },
  };
}
