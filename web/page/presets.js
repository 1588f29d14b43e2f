// presets.js - views worth seeing; what they do not say is the problem's own. Of each: `see`, the
// sentence of the lecture, and `note`, which tells a student where to look; the shape, whose inertia is
// computed with; `slider`, the number that matters most, from settings and into them; `fact`, what
// theory says of the run; `unit`, a unit of time and how many of those of the run it is.

import { inertiaOf, SHAPES } from './shapes.js';

const DEGREE = Math.PI / 180;
const GRAVITY = 9.81;
const DAY = 86400;

const digits = (x, n = 6) => Number(x.toPrecision(n));
const shaped = Object.fromEntries(Object.entries(SHAPES).map(([name, shape]) => [name, inertiaOf(shape)]));
const moments = (name, unit = 1) => shaped[name].moments.map((x) => digits(x / unit));
const ratios = (name) => moments(name, Math.max(...shaped[name].moments));
const weight = (name) => digits(shaped[name].mass * GRAVITY * shaped[name].centre[2]); // times the arm
const inWords = (name, unit, factor = 1) => `J = ${moments(name, factor).map((x) => digits(x, 3)).join(', ')} ${unit}`;

// A spin at an angle from one axis towards another, in degrees.
const spin = (rate, from, to, angle) => [0, 1, 2].map((k) => (
  digits((k === from ? Math.cos(angle * DEGREE) : 0) * rate + (k === to ? Math.sin(angle * DEGREE) * rate : 0))));
const angleOf = (w, from, to) => digits(Math.atan2(w[to], w[from]) / DEGREE, 4);
const tilt = (angle) => [digits(Math.cos(angle * DEGREE / 2), 12), digits(Math.sin(angle * DEGREE / 2), 12), 0, 0];

// A slider of the angle of the spin.
const leaning = (label, rate, from, to, min, max) => ({ label, min, max, unit: '°', get: ({ velocity }) => angleOf(velocity, from, to),
  set: (x) => ({ velocity: spin(rate, from, to, x) }) });

// And of a number of the problem.
const parameter = (name, label, min, max, unit = '') => ({ label, min, max, unit,
  get: ({ parameters }, facts) => (parameters[name] ?? facts.parameters.find((one) => one.name === name).default)[0],
  set: (x, { parameters }) => ({ parameters: { ...parameters, [name]: [x] } }) });

const flips = ({ period }) => (Number.isFinite(period) ? `it flips every ${digits(period / 2, 3)} s, by the elliptic integral` : '');

// A body of the user's own, spun at an angle from its middle axis towards that of the smallest moment. `edges`
// are those of a box of 1 kg, from the moments and back.
const RATE = 6;
const byMoment = (J) => [0, 1, 2].sort((a, b) => J[a] - J[b]);
const aboutMiddle = (J, angle) => spin(RATE, byMoment(J)[1], byMoment(J)[0], angle);
const offMiddle = ({ velocity, inertia }) => angleOf(velocity, byMoment(inertia)[1], byMoment(inertia)[0]);
const momentsOfBox = (edges) => inertiaOf({ parts: [{ solid: 'box', size: edges, mass: 1 }] }).moments.map((x) => digits(x, 15));
const own = {
  unit: ['s', 1],
  slider: { label: 'Off the middle axis', min: 0.1, max: 90, unit: '°', get: offMiddle, set: (x, { inertia }) => ({ velocity: aboutMiddle(inertia, x) }) },
  settings: { problem: 'free', methods: ['exact', 'mr'], step: 0.02, length: 30, speed: 0.6 },
};

// The lecture of a mesh: `name` of its file, `geometry`, and its mass properties at density 1.
export const ownShape = (name, geometry, { volume, moments: J }) => ({ ...own, title: name, mesh: geometry,
  see: 'Your shape, filled evenly: about the axes of its smallest and largest moment it spins steadily, about the middle one it flips.',
  note: `The inertia of ${name} was computed from its surface, at density 1.`,
  fact: (facts) => `V = ${digits(volume, 4)}, J = ${J.map((x) => digits(x, 4)).join(', ')} at density 1; ${flips(facts)}`,
  settings: { ...own.settings, inertia: J, velocity: aboutMiddle(J, 2) } });

// A horizontal gyroscope, steadily going round.
const going = (rate) => [digits(-weight('gyroscope') / (moments('gyroscope')[2] * rate)), 0, rate];

const ORBIT = Math.sqrt(3.986004418e14 / 6.878e6 ** 3);
const SATURN = Math.sqrt(3.7931e16 / 1.481e9 ** 3);

export const PRESETS = [
  { name: 'racket', title: 'Tennis racket', shape: 'racket', unit: ['s', 1],
    see: 'Thrown about its middle axis, the racket flips over, again and again.',
    note: 'Thrown about its middle axis, the racket flips over, and back, at regular intervals: ' +
      'the polhode passes close by the crossing of the separatrix, and lingers there.',
    slider: leaning('Off the middle axis', 10, 1, 0, 0.1, 40), fact: (facts) => `${inWords('racket', 'g m²', 1e-3)}; ${flips(facts)}`,
    settings: { problem: 'free', inertia: moments('racket'), velocity: spin(10, 1, 0, 1), methods: ['exact', 'mr'],
      step: 0.02, length: 15, speed: 0.4 } },
  { name: 't_handle', title: 'T-handle in space', shape: 't_handle', unit: ['s', 1],
    see: 'Unscrewed in a space station, a handle spins steadily, and all at once turns round.',
    note: 'The stem is the middle axis. Between two flips almost nothing happens, for the angular velocity waits ' +
      'where two polhodes cross.',
    slider: leaning('Off the stem', 15, 0, 1, 0.01, 20), fact: (facts) => `${inWords('t_handle', 'g m²', 1e-3)}; ${flips(facts)}`,
    settings: { problem: 'free', inertia: moments('t_handle'), velocity: spin(15, 0, 1, 0.5), methods: ['exact', 'mr'],
      step: 0.01, length: 15, speed: 0.3 } },
  { name: 'book', title: 'Vilmart’s book', shape: 'book',
    see: 'A book tumbles in the air: its angular momentum, the golden arrow, stays where it is.',
    note: 'A book tumbles in the air. The steps are long on purpose: compare how the methods lose ' +
      'the attitude, and which of them keep energy and momentum all the same.',
    slider: { label: 'Momentum from axis 3', min: 0, max: 90, unit: '°', get: ({ momentum }) => angleOf(momentum.map(Math.abs), 2, 1),
      set: (x) => ({ momentum: [0, digits(Math.sin(x * DEGREE)), digits(-Math.cos(x * DEGREE))] }) },
    fact: () => inWords('book', ''),
    settings: { problem: 'free', inertia: moments('book'), momentum: [0, 0.6, -0.8],
      methods: ['exact', 'dmv2', 'sr2'], step: 0.2, length: 100, speed: 2 } },
  { name: 'phone', title: 'Phone', shape: 'phone', unit: ['s', 1],
    see: 'About its long axis a phone spins steadily; across it, it flips.',
    note: 'Try it on something soft: no one can throw a phone about its middle axis so that it stays there.',
    slider: leaning('Off the long axis', 9, 0, 1, 0, 90), fact: () => inWords('phone', 'g m²', 1e-3),
    settings: { problem: 'free', inertia: moments('phone'), velocity: spin(9, 0, 1, 88), methods: ['exact', 'mr'],
      step: 0.02, length: 20, speed: 0.4 } },
  { ...own, name: 'box', title: 'Your own shape',
    see: 'Choose the edges of a box, or drop a mesh (glTF, STL, OBJ): its moments of inertia follow, and so does its motion.',
    note: 'A box of 1 kg. It flips about its middle edge, the more slowly the less its moments differ.',
    edges: { get: ({ inertia: J }) => J.map((x, k) => digits(Math.sqrt(6 * Math.max(0, J[(k + 1) % 3] + J[(k + 2) % 3] - x)), 6)),
      set: (edges, settings) => ({ inertia: momentsOfBox(edges), velocity: aboutMiddle(momentsOfBox(edges), offMiddle(settings)) }) },
    fact: (facts, { inertia }) => `J = ${inertia.map((x) => digits(x, 4)).join(', ')} kg m²; ${flips(facts)}`,
    settings: { ...own.settings, inertia: momentsOfBox([1, 0.6, 0.25]), velocity: aboutMiddle(momentsOfBox([1, 0.6, 0.25]), 2) } },
  { name: 'top', title: 'Top', shape: 'top', unit: ['s', 1], gravity: true,
    see: 'Gravity pulls the top over, but its axis goes round the vertical instead, and nods.',
    note: 'The path of the axis has cusps, for the top was let go at rest. Spin it more slowly, and it falls further.',
    slider: { label: 'Spin', min: 20, max: 200, unit: ' rad/s', get: ({ velocity }) => velocity[2], set: (x) => ({ velocity: [0, 0, x] }) },
    fact: (_, { inertia, parameters }) => `upright, it sleeps above ${digits(2 * Math.sqrt(parameters.strength[0] * inertia[0]) / inertia[2], 3)} rad/s; ${inWords('top', 'g m²', 1e-3)}`,
    settings: { problem: 'heavy_top', inertia: moments('top'), attitude: tilt(25), velocity: [0, 0, 100],
      parameters: { strength: [weight('top')] }, methods: ['s6_10+exact', 'verlet+exact'], step: 0.002, length: 8, speed: 0.2 } },
  { name: 'gyroscope', title: 'Gyroscope', camera: { from: [3.7, -2.7, 2.1], target: [0, 0, 0] }, shape: 'gyroscope', unit: ['s', 1], gravity: true,
    see: 'Held at one end, the gyroscope does not fall: it goes round, the slower the faster it spins.',
    note: 'The frame goes round with the axle; the wheel spins in it. Gravity turns the golden arrow sideways.',
    slider: { label: 'Spin', min: 120, max: 500, unit: ' rad/s', get: ({ velocity }) => velocity[2], set: (x) => ({ velocity: going(x) }) },
    fact: (_, { velocity }) => `goes round once in ${digits(2 * Math.PI / Math.abs(velocity[0]), 3)} s; ${inWords('gyroscope', 'g m²', 1e-3)}`,
    settings: { problem: 'heavy_top', inertia: moments('gyroscope'), attitude: [Math.SQRT1_2, 0, Math.SQRT1_2, 0], velocity: going(250),
      parameters: { strength: [weight('gyroscope')] }, methods: ['s6_10+exact', 'verlet+exact'], step: 0.001, length: 6, speed: 0.15 } },
  { name: 'polhode', title: 'Polhode and herpolhode', panes: ['polhode', 'rolling'],
    see: 'An ellipsoid that belongs to the body rolls on a plane that belongs to space.',
    note: 'Poinsot’s picture of every free motion: the path of the contact on the ellipsoid is the polhode, that on the plane ' +
      'the herpolhode.',
    slider: leaning('Spin from axis 3', 2, 2, 1, 0, 90),
    fact: ({ period }) => (Number.isFinite(period) ? `once round the polhode in ${digits(period, 3)}` : ''),
    settings: { problem: 'free', inertia: [1, 2, 2.9], velocity: spin(2, 2, 1, 40), methods: ['exact'], step: 0.05, length: 60 } },
  { name: 'asteroid', title: 'Tumbling asteroid', shape: 'asteroid', unit: ['d', 1],
    see: 'An asteroid of two lobes tumbles, as Toutatis does: it has no day of one length.',
    note: 'Two periods that do not fit together: one about the long axis, one of this axis about the momentum.',
    slider: leaning('Off the long axis', 1.6, 0, 1, 0, 89),
    fact: ({ period }) => `J = ${ratios('asteroid').map((x) => digits(x, 3)).join(' : ')}; once round the polhode in ${digits(period, 3)} d`,
    settings: { problem: 'free', inertia: ratios('asteroid'), velocity: spin(1.6, 0, 1, 35), methods: ['exact', 'mr'], step: 0.1, length: 60 } },
  { name: 'spacecraft', title: 'Satellite in low orbit', shape: 'satellite', orbit: 'frame', unit: ['min', 60],
    see: 'Gravity pulls more at the near end, so the satellite swings about the direction to the Earth.',
    note: 'Seen along with the orbit, 500 km up. Let it swing far enough, and it turns over.',
    slider: { label: 'Pitch at first', min: 0, max: 89, unit: '°', get: ({ attitude }) => digits(2 * Math.atan2(attitude[3], attitude[0]) / DEGREE, 4),
      set: (x) => ({ attitude: [digits(Math.cos(x * DEGREE / 2), 12), 0, 0, digits(Math.sin(x * DEGREE / 2), 12)] }) },
    fact: () => {
      const [a, b, c] = shaped.satellite.moments;
      return `${inWords('satellite', 'kg m²')}; small swings take ${digits(2 * Math.PI / (ORBIT * Math.sqrt(3 * (b - a) / c)) / 60, 3)} min`;
    },
    settings: { problem: 'spacecraft', inertia: moments('satellite'), attitude: [Math.cos(15 * DEGREE), 0, 0, Math.sin(15 * DEGREE)],
      velocity: [0, 0, digits(ORBIT, 10)], parameters: { semi_major_axis: [6.878e6] }, methods: ['srkn6_14a+exact', 'verlet+exact'],
      step: 20, length: 30000, speed: 400 } },
  { name: 'hyperion', title: 'Hyperion', shape: 'moon', orbit: 'space', unit: ['d', DAY],
    see: 'A moon of Saturn, long and on an eccentric orbit, tumbles chaotically: its attitude cannot be told for long.',
    note: 'Compare methods or change the last digit of the start: after some hundred days nothing is left in common.',
    slider: parameter('eccentricity', 'Eccentricity of the orbit', 0, 0.2),
    fact: () => `J = ${ratios('moon').map((x) => digits(x, 3)).join(' : ')}; errors grow e times in 24 days (Lyapunov)`,
    settings: { problem: 'spacecraft', inertia: ratios('moon'), attitude: [1, 0.05, 0.03, 0], velocity: [0, 0, digits(1.2 * SATURN)],
      parameters: { mu: [3.7931e16], semi_major_axis: [1.481e9], eccentricity: [0.123] }, methods: ['srkn6_14a+exact', 'verlet+exact'],
      step: 10000, length: 600 * DAY, speed: 8 * DAY } },
  { name: 'double_pendulum', title: 'Double pendulum',
    see: 'Two rods, one at the end of the other: nearby motions part within seconds.',
    note: 'Two rods, chaotic: motions part e times as far in two units of time (exponent 0.5), and so ' +
      'the methods part for good after a while. RATTLE lets the energy ' +
      'swing and brings it back; the Runge-Kutta method is more accurate, and slowly loses it.',
    slider: parameter('length2', 'Length of the lower rod', 0.2, 2),
    settings: { problem: 'double_pendulum', methods: ['rattle', 'rkmk4'], step: 0.01, length: 20 } },
  { name: 'vortices', title: 'Vortices',
    see: 'Six whirls on a sphere carry each other along; their moment, the arrow, never moves.',
    note: 'Six whirls on a sphere carry each other along. Their moment, an arrow, never moves.',
    slider: parameter('strength', 'Strength', 0.2, 3),
    settings: { problem: 'vortices', methods: ['spherical_midpoint', 'rkmk4'], step: 0.1, length: 100,
      speed: 4 } },
  { name: 'dipolar_spheres', title: 'Dipolar spheres',
    see: 'Small magnets, let go on a lattice, turn each other and gather in pairs and chains.',
    note: 'A hundred and twenty-five small magnets, let go on a lattice, attract and turn each other, ' +
      'and gather in pairs and chains.',
    slider: { label: 'Dipole', min: 0, max: 2, unit: '', get: ({ parameters }) => parameters.dipole?.[2] ?? 1,
      set: (x, { parameters }) => ({ parameters: { ...parameters, dipole: [0, x, x] } }) },
    settings: { problem: 'dipolar_spheres', methods: ['verlet+exact'], step: 0.01, length: 20, speed: 1 } },
  { name: 'cloud', title: '10 000 bodies',
    see: 'Ten thousand rackets are thrown almost alike: each point is the momentum of one, seen from its body, and they spread over their curves.',
    note: 'Ten thousand rackets are thrown almost alike. They flip together at first; small ' +
      'differences add up, and order is lost. Go back in time, and it returns.',
    slider: { label: 'Spread of the starts', min: 0, max: 0.05, unit: '', get: ({ spread }) => spread, set: (x) => ({ spread: x }) },
    settings: { problem: 'free', inertia: [1, 2, 2.9], velocity: [0.02, 2, 0.02], bodies: 10000,
      spread: 0.01, methods: ['exact'], step: 0.05, length: 120, speed: 2 } },
  { name: 'water', title: 'Water molecule', shape: 'water', unit: ['ps', 1],
    see: 'A molecule of water turns some trillion times a second, and flips as a racket does.',
    note: 'Three different moments, the middle one about the axis of symmetry. A quantum of turning is not much smaller than this.',
    slider: leaning('Off the axis of symmetry', 15, 1, 0, 0.1, 60), fact: () => inWords('water', '· 10⁻⁴⁷ kg m²', 1e-47),
    settings: { problem: 'free', inertia: moments('water', 1e-47), velocity: spin(15, 1, 0, 4), methods: ['exact', 'mr'],
      step: 0.01, length: 6, speed: 0.15 } },
  { name: 'slow_top', title: 'Slow top', gravity: true,
    see: 'A top that turns slowly falls far over and rises again.',
    note: 'A top that turns slowly falls far over and rises again. Its axis draws large loops on the ' +
      'sphere of directions.',
    slider: parameter('strength', 'Weight', 1, 40),
    settings: { problem: 'slow_top', methods: ['s6_10+exact', 'verlet+exact', 'imidm'], step: 0.04,
      length: 40 } },
  { name: 'fast_top', title: 'Fast top', gravity: true,
    see: 'A fast top stays up: its axis goes slowly round the vertical, in small quick nods.',
    note: 'A fast top stays up: its axis goes slowly round the vertical, in small quick nods.',
    slider: parameter('strength', 'Weight', 1, 60),
    settings: { problem: 'fast_top', methods: ['s6_10+exact', 'liemid'], step: 0.005, length: 20,
      speed: 0.5 } },
  { name: 'satellite', title: 'Satellite of a heavy planet',
    see: 'Close to a very heavy planet gravity turns a satellite within a second.',
    note: 'A satellite close to a heavy planet: gravity pulls more at its near end, and turns it. ' +
      'Time is slowed down, for it turns four times a second.',
    slider: parameter('radius', 'Distance', 1e5, 4e5, ' m'),
    settings: { problem: 'satellite', methods: ['srkn6_14a+exact', 'verlet+mr'], step: 0.01, length: 20,
      speed: 0.1 } },
  { name: 'soft_wall', title: 'Soft wall',
    see: 'A tip of the body hits a soft wall again and again.',
    note: 'A tip of the body hits a soft wall again and again. Watch the energy: methods that are ' +
      'symplectic let it swing, and bring it back.',
    slider: parameter('offset', 'Distance of the wall', 1.02, 1.5),
    settings: { problem: 'soft_wall', methods: ['s6_10+exact', 'verlet+exact', 'bbtrap'], step: 0.02,
      length: 40, speed: 2 } },
  { name: 'magnets', title: 'Magnets',
    see: 'Sixteen compass needles: one is out of line, another gets a push, and a wave runs through all.',
    note: 'Sixteen compass needles on a grid. One was turned out of line, and another given a push: ' +
      'a wave runs through the others.',
    slider: parameter('spacing', 'Distance of the needles', 0.022, 0.04, ' m'),
    settings: { problem: 'magnets', methods: ['s6_10+circle'], step: 0.001, length: 4, speed: 0.1 } },
];
