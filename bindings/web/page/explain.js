// explain.js - what a student reads beside the picture: five sentences, and the equation in use.

const SENTENCES = {
  free: [
    'Nothing pushes this body, so its angular momentum, the golden arrow, stays fixed in space.',
    'Its angular velocity, the blue arrow, need not: it wanders, since the body resists turning more about some axes than about others.',
    'Seen from the body, the tip of the angular velocity stays on an ellipsoid of equal energy and draws a closed curve there, the polhode.',
    'Seen from space, that ellipsoid rolls without slipping on a fixed plane, and the point of contact draws the herpolhode.',
    'Near the largest and the smallest moment of inertia the curves are small rings, but at the middle one two curves cross, and a body turned about it flips over.',
  ],
  field: [
    'Something turns this body, so its angular momentum, the golden arrow, changes with its attitude.',
    'The attitude R takes body to space, and the angular velocity, the blue arrow, says how R changes.',
    'A computer advances both in steps of h, and each method makes an error of its own in every step.',
    'The outline is a reference with much smaller error, so you see where a method has drifted off.',
    'Good methods need not be exact: those that keep the geometry let the energy swing about its value, while others lose it for good.',
  ],
  second: [
    'Every rod or needle is a unit vector, a point on a sphere, so no angle ever becomes singular.',
    'It turns with an angular velocity at right angles to itself.',
    'The kinetic energy couples the vectors, the potential pulls at them, and Lagrange’s equations on the spheres follow.',
    'Methods differ in how they stay on the spheres: by rotations, or by constraints.',
    'If the motion is chaotic, even good methods part after a while; then compare what they keep, not where they are.',
  ],
  first: [
    'Every vector is a point on a sphere, and its velocity is fixed by where all the others are.',
    'There is no inertia here: positions alone say how things go on.',
    'Each point turns about an axis made by the others, so it never leaves its sphere.',
    'The energy and the total moment stay as they are in the exact motion.',
    'A method that uses rotations keeps the points on the sphere to the last digit, and a symmetric one keeps the energy for very long.',
  ],
  many: [
    'Each ball is a rigid body with a dipole, a small magnet, and all of them push and turn each other.',
    'A place, a momentum, an attitude and an angular momentum are followed for every one.',
    'Between two pushes a body moves freely, and its free rotation is computed exactly.',
    'The total energy should stay the same, so its error tells how good the steps are.',
    'Where each one will be cannot be told for long; averages can.',
  ],
  cloud: [
    'These bodies are alike, and thrown almost alike, each with a slightly different angular velocity.',
    'None feels the others, so each follows its own polhode, with a period of its own.',
    'At first they turn together, but bodies near the separatrix take very different times to flip.',
    'After a while all phases are mixed, though each of the motions is regular and exactly known.',
    'The attitude at any time is computed in one evaluation, so you can go back, and order returns.',
  ],
};

export function explain($, problem, settings, facts, preset) {
  const kind = facts.cloud ? 'cloud' : facts.single ? (problem.free ? 'free' : 'field')
    : facts.directions ? (problem.firstOrder ? 'first' : 'second') : 'many';
  $('title').textContent = preset?.title ?? problem.title ?? settings.problem;
  $('note').textContent = preset?.note ?? '';
  $('sentences').textContent = SENTENCES[kind].join(' ');
  const equation = kind === 'cloud' ? 'free' : kind;
  const math = $('equations').content.querySelector(`[data-for="${equation}"]`);
  $('equation').replaceChildren(math.cloneNode(true));
  $('reference').textContent = `${problem.title ?? settings.problem}${problem.cite ? ` (${problem.cite})` : ''}`;
}
