// pane.js - a view with a scene and a camera of its own, laid over the canvas.

import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { lights } from './draw.js';

export class Pane {
  constructor(title, { color = null, from = [3.7, -1.8, 1.9], target = [0, 0, 0], field = 36 } = {}) {
    this.element = document.createElement('div');
    this.element.className = 'pane';
    this.element.tabIndex = 0;
    this.element.setAttribute('role', 'group');
    this.element.setAttribute('aria-label', `${title}; arrow keys turn the view`);
    this.heading = document.createElement('h3');
    if (color) {
      const chip = document.createElement('span');
      chip.className = 'chip';
      chip.style.setProperty('--c', color);
      this.heading.append(chip);
    }
    this.heading.append(title);
    this.element.append(this.heading);
    this.scene = new THREE.Scene();
    lights(this.scene);
    this.camera = new THREE.PerspectiveCamera(field, 1, 0.05, 100);
    this.camera.up.set(0, 0, 1);
    this.camera.position.set(...from);
    this.target = new THREE.Vector3(...target);
  }

  legend(entries) {
    const line = document.createElement('p');
    for (const [text, color] of entries) {
      const word = document.createElement('span');
      word.style.setProperty('--c', color);
      word.textContent = text;
      line.append(word);
    }
    this.element.append(line);
  }

  failed(text, name = 'failed') {
    if ((this.failure?.textContent ?? '') === (text ?? '')) return;
    this.failure?.remove();
    this.failure = null;
    if (!text) return;
    this.failure = document.createElement('span');
    this.failure.className = name;
    this.failure.textContent = text;
    this.heading.append(this.failure);
  }

  attach(changed) {
    this.controls = new OrbitControls(this.camera, this.element);
    this.controls.target.copy(this.target);
    this.controls.enablePan = false;
    this.controls.minDistance = 0.5 * this.camera.position.distanceTo(this.target);
    this.controls.maxDistance = 3 * this.camera.position.distanceTo(this.target);
    this.controls.update();
    this.controls.addEventListener('change', changed);
  }

  // Turns the view by the arrow keys.
  turn(key) {
    const turns = { ArrowLeft: [-0.12, 0], ArrowRight: [0.12, 0], ArrowUp: [0, -0.12], ArrowDown: [0, 0.12] };
    if (!turns[key]) return false;
    const offset = this.camera.position.clone().sub(this.target);
    const spherical = new THREE.Spherical().setFromVector3(new THREE.Vector3(offset.x, offset.z, -offset.y));
    spherical.theta += turns[key][0];
    spherical.phi = Math.min(Math.PI - 0.05, Math.max(0.05, spherical.phi + turns[key][1]));
    const v = new THREE.Vector3().setFromSpherical(spherical);
    this.camera.position.set(v.x, -v.z, v.y).add(this.target);
    this.controls.update();
    return true;
  }

  dispose(disposeMaterial) {
    this.controls?.dispose();
    this.element.remove();
    this.scene.traverse((thing) => {
      thing.geometry?.dispose();
      for (const material of [thing.material ?? []].flat()) disposeMaterial(material);
    });
  }
}

// The length of an arrow, 1.5 for what is as large as at the start; it stays in the picture.
const arrowLength = (ratio) => 1.75 * ratio / (ratio + 0.17);

export function setArrow(arrow, v, start, q) {
  const length = v.length();
  arrow.set(length === 0 ? v : v.multiplyScalar(arrowLength(length / start) / length).applyQuaternion(q));
}

