// core.js - a WebAssembly module of the library, its memory, and the free bodies that every such module
// has: Body and Motion, named as in Python. motion.js and polhode.js each call core() for a module of
// their own. Memory may move when it grows, so every view of it is made where it is used.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** What the library refuses, in its words. */
export class PolhodeError extends Error {}

// A copy of a number, or of numbers in an array of any kind; of `count` of them unless that is null.
export function numbers(value, count, name) {
  const list = typeof value === 'number' ? [value] : value;
  if (typeof list !== 'object' || list === null || !Number.isInteger(list.length)) throw new PolhodeError(`${name} must be ${count ?? 'an array of'} numbers`);
  if (count !== null && list.length !== count) throw new PolhodeError(`${name} must be ${count} numbers, not ${list.length}`);
  return Float64Array.from(list, (x) => {
    if (!Number.isFinite(x)) throw new PolhodeError(`${name} must be finite numbers`);
    return x;
  });
}

export function number(value, name) {
  if (typeof value !== 'number') throw new PolhodeError(`${name} must be a number`);
  return numbers(value, 1, name)[0];
}

export function whole(value, name) {
  if (!Number.isSafeInteger(value) || value < 0) throw new PolhodeError(`${name} must be a whole number`);
  return value;
}

export function word(value, name) {
  if (typeof value !== 'string' || value.includes('\0')) throw new PolhodeError(`${name} must be a text`);
  return value;
}

// The options of a call, an object with some of these names.
export function options(given, names, call) {
  if (typeof given !== 'object' || given === null) throw new PolhodeError(`${call} takes an object with ${names.join(', ')}`);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new PolhodeError(`${call} has no option ${unknown}: it has ${names.join(', ')}`);
  return given;
}

// What is no longer used is released by and by; free() does it at once.
const unused = new FinalizationRegistry((release) => release());
export class Handle {
  #name;
  #address;
  #release;

  constructor(name, address, release) {
    this.#name = name;
    this.#address = address;
    this.#release = release;
    unused.register(this, release, this);
  }

  // The address in the module, while there is something.
  get handle() {
    if (!this.#release) throw new PolhodeError(`this ${this.#name} was released by free(): make another`);
    return this.#address;
  }

  free() {
    if (!this.#release) return;
    unused.unregister(this);
    this.#release();
    this.#release = null;
  }
}

// The bytes, or the compiled module, that the caller of init() gives: as such, as a response of fetch(),
// or as a promise of one of these.
async function moduleOf(given) {
  const source = await given;
  if (source instanceof WebAssembly.Module) return source;
  const isResponse = typeof Response === 'function' && source instanceof Response;
  const name = (isResponse && source.url) || 'what init() was given';
  const hint = 'put the .wasm file of the package there, or call init(fetch(address))';
  if (isResponse && !source.ok) throw new PolhodeError(`${name} was not found (status ${source.status}): ${hint}`);
  const bytes = isResponse ? await source.arrayBuffer() : source;
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) {
    throw new PolhodeError(`${name} is not a WebAssembly module: ${hint}`, { cause: error });
  }
}

/** Returns the address that `place` computes, of a .wasm file beside this script. A bundle that is no ES
 * module does not know its own address. */
export function beside(place) {
  try {
    return place();
  } catch (error) {
    throw new PolhodeError('this script does not know its address: call init(fetch(address)) with that of the .wasm file', { cause: error });
  }
}

/** Returns functions over a module, which its init() loads once and hands to `use`. The module must
 * have the function `needed`. */
export function core(needed, use) {
  let wasm = null; // the exports of the module

  async function init(source) {
    if (wasm) return;
    const loaded = await WebAssembly.instantiate(await moduleOf(source), {});
    if (!loaded.exports[needed]) throw new PolhodeError('init() was given another module: polhode needs polhode.wasm, polhode/motion needs motion.wasm');
    if (wasm) return; // by another call meanwhile
    loaded.exports._initialize();
    wasm = loaded.exports;
    use(wasm);
  }

  function exports() {
    if (!wasm) throw new PolhodeError('the module is not loaded: await init() first');
    return wasm;
  }

  const doubles = (at, count) => new Float64Array(wasm.memory.buffer, at, count);

  function allocate(bytes) {
    const at = exports().web_allocate(bytes);
    if (at === 0) throw new PolhodeError('there is not enough memory');
    return at;
  }

  function text(at) {
    const bytes = new Uint8Array(wasm.memory.buffer, at);
    return decoder.decode(bytes.subarray(0, bytes.indexOf(0)));
  }

  // A text that the module hands over.
  function taken(at) {
    if (at === 0) throw new PolhodeError('there is not enough memory');
    const said = text(at);
    wasm.web_release(at);
    return said;
  }

  // Calls `use` with the addresses of copies of texts and arrays, which last until it returns.
  function passing(values, use) {
    const addresses = [];
    try {
      for (const value of values) {
        const bytes = typeof value === 'string' ? encoder.encode(`${value}\0`)
          : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
        const at = allocate(Math.max(bytes.length, 1));
        addresses.push(at);
        new Uint8Array(wasm.memory.buffer, at, bytes.length).set(bytes);
      }
      return use(...addresses);
    } finally {
      for (const at of addresses) wasm.web_release(at);
    }
  }

  function check(status, about = '') {
    if (status !== 0) throw new PolhodeError(about + text(wasm.web_status_text(status)));
  }

  const pointer = (at) => new Uint32Array(wasm.memory.buffer, at, 1)[0];

  // ---- one free body --------------------------------------------------------------------------

  class Body extends Handle {
    constructor(given) {
      const { inertia, tensor } = options(given, ['inertia', 'tensor'], 'Body');
      if ((inertia === undefined) === (tensor === undefined)) throw new PolhodeError('give inertia, three moments, or tensor, one of them');
      let x;
      if (inertia === undefined) {
        const J = numbers(Array.isArray(tensor) ? tensor.flat() : tensor, 9, 'tensor');
        const largest = Math.max(...J.map(Math.abs));
        if ([[1, 3], [2, 6], [5, 7]].some(([a, b]) => Math.abs(J[a] - J[b]) > 1e-12 * largest)) throw new PolhodeError('tensor must be symmetric');
        x = new Float64Array([J[0], J[4], J[8], J[1], J[2], J[5]]);
      } else x = numbers(inertia, 3, 'inertia');
      exports();
      const at = passing([x, new Uint32Array(1)], (from, out) => {
        const status = wasm.web_body(out, from, inertia === undefined ? 1 : 0);
        if (status !== 0) wasm.web_release(pointer(out));
        check(status);
        return pointer(out);
      });
      super('Body', at, () => wasm.web_release(at));
      [this.moments, this.physical] = passing([new Float64Array(3)], (to) => {
        const physical = wasm.web_body_moments(at, to) !== 0;
        return [Array.from(doubles(to, 3)), physical];
      });
    }

    #converted(x, toVelocity) {
      return passing([x], (at) => {
        wasm.web_body_convert(this.handle, x.length / 3, at, toVelocity ? 1 : 0);
        return Array.from(doubles(at, x.length));
      });
    }

    velocity(momentum) {
      return this.#converted(numbers(momentum, 3, 'momentum'), true);
    }

    momentum(velocity) {
      return this.#converted(numbers(velocity, 3, 'velocity'), false);
    }

    motion(start) {
      const { attitude = [1, 0, 0, 0], velocity, momentum } = options(start, ['attitude', 'velocity', 'momentum'], 'motion');
      if ((velocity === undefined) === (momentum === undefined)) throw new PolhodeError('give velocity or momentum, one of them');
      const m = momentum === undefined ? this.momentum(velocity) : numbers(momentum, 3, 'momentum');
      const state = new Float64Array([...numbers(attitude, 4, 'attitude'), ...m]);
      return new Motion(passing([state, new Uint32Array(1)], (from, out) => {
        const status = wasm.web_motion_of(out, this.handle, from);
        if (status !== 0) wasm.web_release(pointer(out));
        check(status);
        return pointer(out);
      }));
    }
  }

  class Motion extends Handle {
    constructor(at) {
      if (!Number.isInteger(at) || !wasm) throw new PolhodeError('a Motion is made by motion() of a Body or a System');
      super('Motion', at, () => wasm.web_release(at));
      this.period = wasm.web_motion_period(at);
      this.precession = wasm.web_motion_precession(at);
    }

    at(time) {
      const single = typeof time === 'number';
      const times = numbers(time, null, 'time');
      const n = times.length;
      return passing([times, new Float64Array(10 * n)], (t, out) => {
        wasm.web_motion_fill(this.handle, t, n, out, out + 32 * n, out + 56 * n);
        const all = doubles(out, 10 * n);
        const part = (from, to) => (single ? Array.from(all.subarray(from, to)) : all.slice(from * n, to * n));
        return { attitude: part(0, 4), momentum: part(4, 7), velocity: part(7, 10) };
      });
    }
  }

  return { init, exports, doubles, allocate, text, taken, passing, check, pointer, Body, Motion };
}
