// A running simulation, shown by `polhode run --serve`.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { request } from 'node:http';
import { connect, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';

// A port that is free now.
const freePort = () => new Promise((resolve) => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const { port } = probe.address();
    probe.close(() => resolve(port));
  });
});

const PATIENCE = 20000; // milliseconds
const RUN = ['run', '--problem', 'dipolar_spheres', '--method', 'verlet+exact', '--step', '0.001', '--time', '1000'];

const ask = (port, path, headers = {}, method = 'GET', host = '127.0.0.1') => new Promise((resolve, reject) => {
  const asked = request({ host, port, path, method, headers, timeout: PATIENCE, agent: false }, (reply) => {
    let text = '';
    reply.on('data', (piece) => { text += piece; });
    reply.on('end', () => resolve({ status: reply.statusCode, text, headers: reply.headers }));
  });
  asked.on('timeout', () => asked.destroy(new Error('no answer')));
  asked.on('error', reject);
  asked.end();
});

async function serving(tool, use) {
  const port = await freePort();
  const run = spawn(tool, [...RUN, '--serve', String(port)], { stdio: 'ignore' });
  try {
    for (let tries = 0; ; tries++) {
      try {
        await ask(port, '/state');
        break;
      } catch (error) {
        if (tries > 100) throw error;
        await new Promise((resolve) => { setTimeout(resolve, 100); });
      }
    }
    await use(port);
  } finally {
    run.kill('SIGKILL');
  }
}

export async function running_simulation_is_shown({ open, tool }) {
  await serving(tool, async (port) => {
    const page = await open({ page: `http://127.0.0.1:${port}/` });
    const time = () => page.evaluate(() => window.polhode.state().time);
    const from = await time();
    await page.waitForFunction((before) => window.polhode.state().time > before, from);
    await page.done();
  });
}

export async function only_this_machine_is_served({ tool }) {
  await serving(tool, async (port) => {
    const status = async (...words) => (await ask(port, ...words)).status;
    assert.equal(await status('/state'), 200);
    assert.equal(await status('/state', { Host: `localhost:${port}` }), 200);
    assert.equal(await status('/state', { Origin: `http://127.0.0.1:${port}` }), 200);
    for (const headers of [{ Host: 'example.org' }, { Host: '127.0.0.1' }, { Host: `127.0.0.1:${port}.example.org` }, { Origin: 'null' },
      { Origin: 'http://example.org' }, { Origin: `https://127.0.0.1:${port}` }]) {
      assert.equal(await status('/state', headers), 403, JSON.stringify(headers));
    }
    for (const path of ['/x', '/../etc/passwd', '/%2e%2e/etc/passwd', '//etc/passwd', '/state/']) assert.equal(await status(path), 404, path);
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) assert.equal(await status('/state', {}, method), 405, method);
    const { headers } = await ask(port, '/');
    assert.equal(headers['x-frame-options'], 'DENY');
    assert.equal(headers['access-control-allow-origin'], undefined);
    const others = Object.values(networkInterfaces()).flat().filter(({ internal, family }) => !internal && family === 'IPv4');
    for (const { address } of others) await assert.rejects(ask(port, '/state', {}, 'GET', address), `${address} is served`);
    const second = spawnSync(tool, [...RUN, '--serve', String(port)], { encoding: 'utf8' });
    assert.equal(second.status, 2);
    assert.match(second.stderr, /^polhode: --serve [^\n]*choose another\n$/);
  });
  for (const port of ['0', 'x', '70000', '-1', '80x']) assert.equal(spawnSync(tool, [...RUN, '--serve', port]).status, 2, port);
}

// Clients that hold connections and say nothing, or a letter now and then, or do not take the
// page they have asked for: another one is answered all the same, again and again.
export async function slow_clients_lock_nobody_out({ tool }) {
  await serving(tool, async (port) => {
    const first = `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`;
    const slow = [];
    let drip;
    try {
      for (let i = 0; i < 120; i++) {
        const one = connect(port, '127.0.0.1');
        one.on('error', () => {}); // it may be closed at any time
        one.pause();
        slow.push(one);
        one.write(['', first, `${first}\r\n`][i % 3]);
      }
      drip = setInterval(() => { for (const one of slow) if (one.writable) one.write('a'); }, 500);
      await Promise.all(slow.map((one) => one.connecting && new Promise((done) => { one.once('connect', done); })));
      for (let i = 0; i < 40; i++) {
        const { status, text } = await ask(port, i % 2 ? '/state' : '/');
        assert.equal(status, 200);
        assert.ok(i % 2 || text.includes('</html>'));
      }
    } finally {
      clearInterval(drip);
      for (const one of slow) one.destroy();
    }
  });
}
