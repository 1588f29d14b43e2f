// pane.js - a view with a scene and a camera of its own, laid over the canvas.

import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { lights } from './draw.js';

const FARTHER = 1.6;       // than the place that a view is given to be seen from, as a long lens does
const MARGIN = 0.96;       // of the picture that what moves may reach
const MOST_OF_TEXT = 0.35; // of the height of a view, above and below

export class Pane {
  // `extent`: spheres [x, y, z, radius] that all that is drawn stays in; they fill the view.
  constructor(title, { color = null, from = [3.7, -1.8, 1.9], target = [0, 0, 0], field = 24, extent = [[0, 0, 0, 1.6]] } = {}) {
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
    this.target = new THREE.Vector3(...target);
    this.camera.position.set(...from).sub(this.target).multiplyScalar(FARTHER).add(this.target);
    this.distance = this.camera.position.distanceTo(this.target);
    this.extent = extent;
  }

  // The box of the view in the page, and what of it the heading above and the legend below leave for the picture.
  place() {
    const box = this.element.getBoundingClientRect();
    const head = this.heading.isConnected ? this.heading.getBoundingClientRect() : null;
    const foot = this.line?.getBoundingClientRect();
    const most = MOST_OF_TEXT * box.height;
    return { box, top: head?.height > 0 ? Math.min(most, head.bottom - box.top) : 0, bottom: foot?.height > 0 ? Math.min(most, box.bottom - foot.top) : 0 };
  }

  // Sets the camera so that the spheres of the extent are seen whole in a picture of this shape. The wheel of the mouse
  // changes its distance, which is left out here.
  fit(aspect) {
    const { camera, target, distance } = this;
    const away = camera.position.clone().sub(target).normalize();
    const right = new THREE.Vector3().crossVectors(camera.up, away).normalize();
    const up = new THREE.Vector3().crossVectors(away, right);
    const half = Math.tan(camera.fov * Math.PI / 360);
    const seen = (x, depth, radius) => Math.tan(Math.min(1.5, Math.abs(Math.atan2(x, depth)) + Math.asin(Math.min(1, radius / Math.hypot(x, depth)))));
    camera.aspect = aspect;
    camera.zoom = MARGIN * Math.min(...this.extent.map(([x, y, z, radius]) => {
      const at = new THREE.Vector3(x, y, z).sub(target);
      const depth = distance - at.dot(away);
      return half * Math.min(aspect / seen(at.dot(right), depth, radius), 1 / seen(at.dot(up), depth, radius));
    }));
    camera.updateProjectionMatrix();
  }

  legend(entries) {
    const line = document.createElement('p');
    this.line = line;
    this.entries = entries;
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

// The length of an arrow, 1.3 for what is as large as at the start; it stays below ARROW.
export const ARROW = 1.5;
const arrowLength = (ratio) => ARROW * ratio / (ratio + 0.15);

export function setArrow(arrow, v, start, q) {
  const length = v.length();
  arrow.set(length === 0 ? v : v.multiplyScalar(arrowLength(length / start) / length).applyQuaternion(q));
}

