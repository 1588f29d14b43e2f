// racket.js - a racket that flips, drawn by three.js and moved by polhode/step: exact, however long a frame
// takes. Bundle it, and open racket.html beside the bundle:
//
//     npm install polhode three
//     npx esbuild racket.js --bundle --format=esm --outdir=out && cp racket.html out
//
// or run `npx vite` in this folder.

import * as THREE from 'three';
import { step } from 'polhode/step';

// A handle along x and a head in the plane of x and y: moments of inertia about x, y and z.
const J = [0.14, 1.28, 1.42];
let q = [1, 0, 0, 0]; // attitude, body to space, scalar first
let w = [0.02, 4, 0.02]; // angular velocity in the body: about the middle axis, and a little beside it

const racket = new THREE.Group();
const wood = new THREE.MeshStandardMaterial({ color: 0xd98f4e });
const front = new THREE.MeshStandardMaterial({ color: 0x4a9be0 });
const back = new THREE.MeshStandardMaterial({ color: 0xe0564a });
const handle = new THREE.Mesh(new THREE.CylinderGeometry(0.08, 0.1, 1.6), wood);
handle.rotation.z = Math.PI / 2;
handle.position.x = -1;
const head = new THREE.Mesh(new THREE.CylinderGeometry(0.6, 0.6, 0.06, 48), [wood, front, back]);
head.rotation.x = Math.PI / 2;
head.position.x = 0.4;
racket.add(handle, head);

const scene = new THREE.Scene();
scene.add(racket, new THREE.HemisphereLight(0xffffff, 0x445566, 3));
const camera = new THREE.PerspectiveCamera(40, innerWidth / innerHeight, 0.1, 20);
camera.position.set(2, 2, 4);
camera.lookAt(0, 0, 0);
const renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true });
document.body.append(renderer.domElement);
const resize = () => {
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
};
addEventListener('resize', resize);
resize();

let flips = 0;
let before = 0;
renderer.setAnimationLoop((now) => {
  const wasAlong = w[1] > 0;
  ({ q, w } = step(q, w, J, (now - (before || now)) / 1000));
  before = now;
  if (w[1] > 0 !== wasAlong) document.getElementById('flips').textContent = String(flips += 1);
  racket.quaternion.set(q[1], q[2], q[3], q[0]); // three.js has the scalar last
  renderer.render(scene, camera);
});
