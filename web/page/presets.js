// presets.js - views worth seeing; what they do not say is the problem's own. `note` tells a
// student where to look.

export const PRESETS = [
  { name: 'racket', title: 'Tennis racket',
    note: 'Thrown about its middle axis, the racket flips over, and back, at regular intervals: ' +
      'the polhode passes close by the crossing of the separatrix, and lingers there.',
    settings: { problem: 'free', inertia: [1, 2, 2.9], velocity: [0.02, 2, 0.02], methods: ['exact', 'mr'],
      step: 0.1, length: 60 } },
  { name: 'book', title: 'Vilmart’s book',
    note: 'A book tumbles in the air. The steps are long on purpose: compare how the methods lose ' +
      'the attitude, and which of them keep energy and momentum all the same.',
    settings: { problem: 'free', inertia: [0.376, 0.627, 1], momentum: [0, 0.6, -0.8],
      methods: ['exact', 'dmv2', 'sr2'], step: 0.2, length: 100, speed: 2 } },
  { name: 'slow_top', title: 'Slow top',
    note: 'A top that turns slowly falls far over and rises again. Its axis draws large loops on the ' +
      'sphere of directions.',
    settings: { problem: 'slow_top', methods: ['s6_10+exact', 'verlet+exact', 'imidm'], step: 0.04,
      length: 40 } },
  { name: 'fast_top', title: 'Fast top',
    note: 'A fast top stays up: its axis goes slowly round the vertical, in small quick nods.',
    settings: { problem: 'fast_top', methods: ['s6_10+exact', 'liemid'], step: 0.005, length: 20,
      speed: 0.5 } },
  { name: 'satellite', title: 'Satellite',
    note: 'A satellite close to a heavy planet: gravity pulls more at its near end, and turns it. ' +
      'Time is slowed down, for it turns four times a second.',
    settings: { problem: 'satellite', methods: ['srkn6_14a+exact', 'verlet+mr'], step: 0.01, length: 20,
      speed: 0.1 } },
  { name: 'soft_wall', title: 'Soft wall',
    note: 'A tip of the body hits a soft wall again and again. Watch the energy: methods that are ' +
      'symplectic let it swing, and bring it back.',
    settings: { problem: 'soft_wall', methods: ['s6_10+exact', 'verlet+exact', 'bbtrap'], step: 0.02,
      length: 40, speed: 2 } },
  { name: 'double_pendulum', title: 'Double pendulum',
    note: 'Two rods, chaotic: motions part e times as far in two units of time (exponent 0.5), and so ' +
      'the methods part for good after a while. RATTLE lets the energy ' +
      'swing and brings it back; the Runge-Kutta method is more accurate, and slowly loses it.',
    settings: { problem: 'double_pendulum', methods: ['rattle', 'rkmk4'], step: 0.01, length: 20 } },
  { name: 'magnets', title: 'Magnets',
    note: 'Sixteen compass needles on a grid. One was turned out of line, and another given a push: ' +
      'a wave runs through the others.',
    settings: { problem: 'magnets', methods: ['s6_10+circle'], step: 0.001, length: 4, speed: 0.1 } },
  { name: 'vortices', title: 'Vortices',
    note: 'Six whirls on a sphere carry each other along. Their moment, an arrow, never moves.',
    settings: { problem: 'vortices', methods: ['spherical_midpoint', 'rkmk4'], step: 0.1, length: 100,
      speed: 4 } },
  { name: 'dipolar_spheres', title: 'Dipolar spheres',
    note: 'A hundred and twenty-five small magnets, let go on a lattice, attract and turn each other, ' +
      'and gather in pairs and chains.',
    settings: { problem: 'dipolar_spheres', methods: ['verlet+exact'], step: 0.01, length: 20, speed: 1 } },
  { name: 'cloud', title: '10 000 bodies',
    note: 'Ten thousand rackets are thrown almost alike. They flip together at first; small ' +
      'differences add up, and order is lost. Go back in time, and it returns.',
    settings: { problem: 'free', inertia: [1, 2, 2.9], velocity: [0.02, 2, 0.02], bodies: 10000,
      spread: 0.01, methods: ['exact'], step: 0.05, length: 120 } },
];
