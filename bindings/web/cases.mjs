// cases.mjs - the cases of the test of rotation (conformance/) as the page has them.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = join(dirname(fileURLToPath(import.meta.url)), '../../conformance/cases');
const rounded = (digits) => (x) => Number(x.toPrecision(digits));

// Free bodies are without their states, which the page computes, and numbers have the digits that a
// picture and a grade need; attitudes of mistakes are in thousandths.
const small = ({ equations, states, mistakes, category, radius, ...one }) => ({ ...one,
  ...(one.torque ? { states: states.map(({ attitude, velocity, acceleration }) => (
    { attitude: attitude.map(rounded(9)), velocity: velocity.map(rounded(9)), acceleration: acceleration.map(rounded(3)) })) } : {}),
  mistakes: mistakes.map(({ name, attitudes }) => ({ name, attitudes: attitudes.flat().map((x) => Math.round(1000 * x)) })) });

export const smallCases = () => readdirSync(folder).sort().map((name) => small(JSON.parse(readFileSync(join(folder, name), 'utf8'))));
