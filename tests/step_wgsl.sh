#!/bin/sh
# step_wgsl.sh SOURCE - polhode_step.wgsl in Chromium, by WebGPU in software, against polhode_step.h:
# 1000 bodies, rotations up to 2 rad; then 1000 times input of every sort, which must return, unchanged or
# finite with a unit quaternion. Skipped where there is no Chromium, or where its WebGPU cannot double a
# number; once it can, everything but the right result is a failure.
set -eu
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v chromium >/dev/null || { echo 'SKIPPED: Chromium is not installed'; exit 77; }

cat >"$work/expected.c" <<'C'
#include <stdio.h>
#include <stdlib.h>

#include "polhode_step.h"

static float draw(double low, double high) { return (float)(low + (high - low) * rand() / RAND_MAX); }

static void print(double x)
{
    if (x - x == 0)
        printf("%.9g,", x);
    else
        printf(x != x ? "NaN," : x > 0 ? "Infinity," : "-Infinity,");
}

int main(void)
{
    static const float special[16] = {0, -0.f, 1, -1, 1e-5f, 1e-45f, 1e-37f, -1e-20f, 1e20f, -1e38f,
        3.4028235e38f, -3.4028235e38f, 1e38f, INFINITY, -INFINITY, NAN};
    for (int n = 0; n < 2000; n++) {
        float x[11];
        double q[4], w[3], J[3];
        for (int i = 0; i < 11; i++)
            x[i] = i < 4 ? draw(-1, 1) : i < 7 ? draw(-2, 2) : i < 10 ? draw(0.5, 2) : draw(-0.5, 0.5);
        if (n % 3 == 0)
            x[8] = x[9];
        for (int i = 0; i < 11 && n >= 1000; i++)
            if (rand() % 10 < (n % 2 ? 1 : 6))
                x[i] = special[rand() % 16];
        for (int i = 0; i < 4; i++)
            q[i] = x[i];
        for (int i = 0; i < 3; i++)
            w[i] = x[4 + i], J[i] = x[7 + i];
        polhode_step(q, w, J, x[10]);
        for (int i = 0; i < 11; i++)
            print(x[i]);
        print(0);
        for (int i = 0; i < 7; i++)
            print(i < 4 ? q[i] : w[i - 4]);
        printf("0,\n");
    }
    return 0;
}
C
cc -std=c99 -I"$source/include" "$work/expected.c" -o "$work/expected" -lm
{
    echo '<!doctype html><title>step</title><body><script>const data = ['
    "$work/expected"
    # shellcheck disable=SC2016 # of JavaScript
    echo ']; const code = `'
    cat "$source/include/polhode_step.wgsl"
    cat <<'JS'
struct Body { q: vec4<f32>, w: vec3<f32>, J1: f32, J2: f32, J3: f32, dt: f32, unused: f32, eq: vec4<f32>, ew: vec4<f32> }
@group(0) @binding(0) var<storage, read_write> bodies: array<Body>;
@compute @workgroup_size(50) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    var q = bodies[id.x].q;
    var w = bodies[id.x].w;
    let b = bodies[id.x];
    polhode_step(&q, &w, vec3<f32>(b.J1, b.J2, b.J3), b.dt);
    bodies[id.x].q = q;
    bodies[id.x].w = w;
}`;
const double = `@group(0) @binding(0) var<storage, read_write> x: array<f32>;
@compute @workgroup_size(1) fn main(@builtin(global_invocation_id) id: vec3<u32>) { x[id.x] = 2 * x[id.x]; }`;

// What the program makes of the numbers. Throws an error if the program is wrong or the device fails.
async function compute(device, code, input, groups) {
  const usage = GPUBufferUsage, size = input.byteLength;
  const buffer = device.createBuffer({ size, usage: usage.STORAGE | usage.COPY_SRC | usage.COPY_DST });
  const result = device.createBuffer({ size, usage: usage.MAP_READ | usage.COPY_DST });
  device.queue.writeBuffer(buffer, 0, input);
  device.pushErrorScope('validation');
  const module = device.createShaderModule({ code });
  for (const m of (await module.getCompilationInfo()).messages) throw new Error(`line ${m.lineNum}: ${m.message}`);
  const pipeline = await device.createComputePipelineAsync({ layout: 'auto', compute: { module, entryPoint: 'main' } });
  const bind = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries: [{ binding: 0, resource: { buffer } }] });
  const encoder = device.createCommandEncoder(), pass = encoder.beginComputePass();
  pass.setPipeline(pipeline); pass.setBindGroup(0, bind); pass.dispatchWorkgroups(groups); pass.end();
  encoder.copyBufferToBuffer(buffer, 0, result, 0, size);
  device.queue.submit([encoder.finish()]);
  await result.mapAsync(GPUMapMode.READ);
  return new Float32Array(result.getMappedRange());
}

async function find_device() {
  const adapter = await navigator.gpu?.requestAdapter();
  if (!adapter) throw new Error('there is no adapter');
  const device = await adapter.requestDevice();
  const [x] = await compute(device, double, new Float32Array([21]), 1);
  if (x !== 42) throw new Error(`the double of 21 is ${x}`);
  return device;
}

async function worst_error(device) {
  const input = new Float32Array(data), x = await compute(device, code, input, 40);
  let worst = 0;
  for (let n = 0; n < 1000; n++) {
    const at = 20 * n, dot = [0, 1, 2, 3].reduce((s, i) => s + x[at + i] * input[at + 12 + i], 0);
    for (let i = 0; i < 4; i++) worst = Math.max(worst, Math.abs(x[at + i] - Math.sign(dot) * input[at + 12 + i]));
    for (let i = 0; i < 3; i++) worst = Math.max(worst, Math.abs(x[at + 4 + i] - input[at + 16 + i]) / 2);
    if (!(worst >= 0)) throw new Error(`body ${n} is no number`);
  }
  for (let n = 1000; n < 2000; n++) {
    const at = 20 * n, before = input.subarray(at, at + 11), after = x.subarray(at, at + 7), q = before.subarray(0, 4);
    const least = 1.2e-38, moves = before.every((v, i) => Number.isFinite(v) || (i >= 7 && i < 10 && !Number.isNaN(v)))
      && q.some((v) => Math.abs(v) >= least);
    const length = Math.hypot(...after.subarray(0, 4));
    if (moves ? !(Math.abs(length - 1) < 3e-6 && after.every(Number.isFinite))
      : !after.every((v, i) => Object.is(v, before[i]) || v === before[i] || Math.abs(before[i]) < least))
      throw new Error(`input of every sort: ${before} gives ${after}`);
  }
  return worst;
}

const say = (text) => fetch('/said', { method: 'POST', body: text });
find_device().then(
  (device) => say('WebGPU computes').then(() => worst_error(device)).then((worst) => say(`worst ${worst}`), (error) => say(`error: ${error}`)),
  (error) => say(`skipped, WebGPU is not usable: ${error}`));
</script>
JS
} >"$work/page.html"
# Serves the page, and prints what it posts, up to the result.
cat >"$work/serve.py" <<'PY'
import http.server
import pathlib
import subprocess
import sys
import threading

page = (pathlib.Path(sys.argv[1]) / "page.html").read_bytes()
posted = threading.Event()


class Handler(http.server.BaseHTTPRequestHandler):
    def answer(self, body):
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.answer(page)

    def do_POST(self):
        said = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.answer(b"")
        print(said, flush=True)
        if said != "WebGPU computes":
            posted.set()

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
with subprocess.Popen(["chromium", "--headless=new", "--no-sandbox", f"--user-data-dir={sys.argv[1]}/profile",
                       "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader",
                       f"http://127.0.0.1:{server.server_port}/"],
                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as browser:
    if not posted.wait(120):
        print("no answer within 120 s")
    browser.terminate()
PY
said=$(python3 "$work/serve.py" "$work")
echo "$said"
case $said in
skipped* | 'no answer'*)
    echo "SKIPPED: Chromium's WebGPU does not work here"
    exit 77
    ;;
esac
# twenty roundings of float
echo "$said" | awk '/^worst/ && $2 < 3e-6 { good = 1 } END { exit !good }'
