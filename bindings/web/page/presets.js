// presets.js - views worth seeing; what they do not say is the problem's own. Of each: `see`, the
// sentence of the lecture, and `note`, which tells a student where to look; the shape, whose inertia is
// computed with; `slider`, the number that matters most, from settings and into them; `fact`, what
// theory says of the run; `why`, the reason, a text or a function of what is known of the run; `moments`, a unit of moments of
// inertia and how many of those of the run it is; `unit`, a unit of time and how many of those of the run it is.

import { inertiaOf, SHAPES, unstableAxis } from './shapes.js';

const DEGREE = Math.PI / 180;
const GRAVITY = 9.81;
const DAY = 86400;

const digits = (x, n = 6) => Number(x.toPrecision(n));
const shaped = Object.fromEntries(Object.entries(SHAPES).map(([name, shape]) => [name, inertiaOf(shape)]));
const moments = (name, unit = 1) => shaped[name].moments.map((x) => digits(x / unit));
const ratios = (name) => moments(name, Math.max(...shaped[name].moments));
const weight = (name) => digits(shaped[name].mass * GRAVITY * shaped[name].centre[2]); // times the arm

// A spin at an angle from one axis towards another, in degrees.
const spin = (rate, from, to, angle) => [0, 1, 2].map((k) => (
  digits((k === from ? Math.cos(angle * DEGREE) : 0) * rate + (k === to ? Math.sin(angle * DEGREE) * rate : 0))));
const angleOf = (w, from, to) => digits(Math.atan2(w[to], w[from]) / DEGREE, 4);
const tilt = (angle) => [digits(Math.cos(angle * DEGREE / 2), 12), digits(Math.sin(angle * DEGREE / 2), 12), 0, 0];

// Three moments of inertia, by their symbols.
const named = (J) => J.map((x, k) => `J${'₁₂₃'[k]} = ${digits(x, 4)}`).join(', ');

// A slider of the angle of the spin.
const leaning = (label, rate, from, to, min, max) => ({ label, min, max, unit: '°', get: ({ velocity }) => angleOf(velocity, from, to),
  set: (x) => ({ velocity: spin(rate, from, to, x) }) });

// And of a number of the problem.
const parameter = (name, label, min, max, unit = '') => ({ label, min, max, unit,
  get: ({ parameters }, facts) => (parameters[name] ?? facts.parameters.find((one) => one.name === name).default)[0],
  set: (x, { parameters }) => ({ parameters: { ...parameters, [name]: [x] } }) });

const flips = ({ period }, _, unit = 's') => (Number.isFinite(period) ? `It flips every ${digits(period / 2, 3)} ${unit}.` : '');

// Why it is so, in sentences for a first year at university; beside a free body they stand with its polhode.
const WHY = {
  free: ({ moments: J }) => {
    const unstable = unstableAxis(J);
    const steady = [1, 2, 3].filter((k) => k !== unstable + 1);
    return 'Energy and angular momentum stay the same, so the tip of the angular velocity (the dot) can only run along one curve of this ellipsoid. ' +
      (unstable < 0 ? 'Two of the three moments of inertia are equal: all the curves are rings, so this body wobbles steadily and never flips.'
        : `Round axes ${steady.join(' and ')} the curves are small rings, and a spin about these axes stays steady. ` +
          `At axis ${unstable + 1}, the middle one, two curves cross: a dot near them lingers there, then runs over to the other side, and that is the flip.`);
  },
  top: 'Gravity pulls at the centre of mass, beside the point it stands on: this is a torque, and it is horizontal. ' +
    'A torque moves the angular momentum (the golden arrow) its own way, so the arrow goes sideways, not down. ' +
    'The faster the spin, the longer the arrow, and the more slowly it goes round.',
  planet: 'The planet pulls more strongly at the near end of the body than at the far end. ' +
    'The difference turns the long axis towards the planet, as gravity turns a pendulum down, and so the body swings about this direction.',
};

// A body of the user's own, spun at an angle from its middle axis towards that of the smallest moment. `edges`
// are those of a box of 1 kg, from the moments and back.
const RATE = 6;
const byMoment = (J) => [0, 1, 2].sort((a, b) => J[a] - J[b]);
const aboutMiddle = (J, angle) => spin(RATE, byMoment(J)[1], byMoment(J)[0], angle);
const offMiddle = ({ velocity, inertia }) => angleOf(velocity, byMoment(inertia)[1], byMoment(inertia)[0]);
const momentsOfBox = (edges) => inertiaOf({ parts: [{ solid: 'box', size: edges, mass: 1 }] }).moments.map((x) => digits(x, 15));
const own = {
  why: WHY.free,
  unit: ['s', 1],
  slider: { label: 'Off the middle axis', min: 0.1, max: 90, unit: '°', get: offMiddle, set: (x, { inertia }) => ({ velocity: aboutMiddle(inertia, x) }) },
  settings: { problem: 'free', methods: ['exact', 'mr'], step: 0.02, length: 30, speed: 0.6 },
};

// The lecture of a mesh: `name` of its file, `geometry`, and its mass properties at density 1.
export const ownShape = (name, geometry, { volume, moments: J }) => ({ ...own, title: name, mesh: geometry,
  see: 'Your shape, filled evenly: about the axes of its smallest and largest moment it spins steadily, about the middle one it flips.',
  note: `The inertia of ${name} was computed from its surface, at density 1.`,
  fact: (facts) => `Volume ${digits(volume, 4)}, ${named(J)} at density 1. ${flips(facts)}`,
  settings: { ...own.settings, inertia: J, velocity: aboutMiddle(J, 2) } });

// A horizontal gyroscope, steadily going round.
const going = (rate) => [digits(-weight('gyroscope') / (moments('gyroscope')[2] * rate)), 0, rate];

const ORBIT = Math.sqrt(3.986004418e14 / 6.878e6 ** 3);
const SATURN = Math.sqrt(3.7931e16 / 1.481e9 ** 3);

export const PRESETS = [
  { name: 'racket', title: 'Tennis racket', shape: 'racket', unit: ['s', 1],
    see: 'Thrown about its middle axis, the racket flips over, again and again.',
    why: WHY.free,
    note: 'Thrown about its middle axis, the racket flips over, and back, at regular intervals: ' +
      'the polhode passes close by the crossing of the separatrix, and lingers there.',
    slider: leaning('Off the middle axis', 10, 1, 0, 0.1, 40), fact: flips, moments: ['g m²', 1e-3],
    settings: { problem: 'free', inertia: moments('racket'), velocity: spin(10, 1, 0, 1), methods: ['exact', 'mr'],
      step: 0.02, length: 15, speed: 0.4 } },
  { name: 't_handle', title: 'T-handle in space', shape: 't_handle', unit: ['s', 1],
    see: 'Unscrewed in a space station, a handle spins steadily, and all at once turns round.',
    why: WHY.free,
    note: 'The stem is the middle axis. Between two flips almost nothing happens, for the angular velocity waits ' +
      'where two polhodes cross.',
    slider: leaning('Off the stem', 15, 0, 1, 0.01, 20), fact: flips, moments: ['g m²', 1e-3],
    settings: { problem: 'free', inertia: moments('t_handle'), velocity: spin(15, 0, 1, 0.5), methods: ['exact', 'mr'],
      step: 0.01, length: 15, speed: 0.3 } },
  { name: 'book', title: 'Book in the air', shape: 'book',
    see: 'A book tumbles in the air: its angular momentum, the golden arrow, stays where it is.',
    why: WHY.free,
    note: 'A book tumbles in the air. The steps are long on purpose: compare how the methods lose ' +
      'the attitude, and which of them keep energy and momentum all the same.',
    slider: { label: 'Momentum from axis 3', min: 0, max: 90, unit: '°', get: ({ momentum }) => angleOf(momentum.map(Math.abs), 2, 1),
      set: (x) => ({ momentum: [0, digits(Math.sin(x * DEGREE)), digits(-Math.cos(x * DEGREE))] }) },
    settings: { problem: 'free', inertia: moments('book'), momentum: [0, 0.6, -0.8],
      methods: ['exact', 'dmv2', 'sr2'], step: 0.2, length: 100, speed: 2 } },
  { name: 'phone', title: 'Phone, thrown', shape: 'phone', unit: ['s', 1],
    see: 'About its long axis a phone spins steadily; across it, it flips.',
    why: WHY.free,
    note: 'Try it on something soft: no one can throw a phone about its middle axis so that it stays there.',
    slider: leaning('Off the long axis', 9, 0, 1, 0, 90), moments: ['g m²', 1e-3],
    settings: { problem: 'free', inertia: moments('phone'), velocity: spin(9, 0, 1, 88), methods: ['exact', 'mr'],
      step: 0.02, length: 20, speed: 0.4 } },
  { ...own, name: 'box', title: 'Your own shape',
    see: 'Choose the edges of a box, or drop a mesh (glTF, STL, OBJ): its moments of inertia follow, and so does its motion.',
    note: 'A box of 1 kg. It flips about its middle edge, the more slowly the less its moments differ.',
    edges: { get: ({ inertia: J }) => J.map((x, k) => digits(Math.sqrt(6 * Math.max(0, J[(k + 1) % 3] + J[(k + 2) % 3] - x)), 6)),
      set: (edges, settings) => ({ inertia: momentsOfBox(edges), velocity: aboutMiddle(momentsOfBox(edges), offMiddle(settings)) }) },
    fact: (facts, { inertia }) => `${named(inertia)} kg m². ${flips(facts)}`, moments: ['kg m²', 1],
    settings: { ...own.settings, inertia: momentsOfBox([1, 0.6, 0.25]), velocity: aboutMiddle(momentsOfBox([1, 0.6, 0.25]), 2) } },
  { name: 'top', title: 'Spinning top', shape: 'top', unit: ['s', 1], gravity: true,
    see: 'Gravity pulls the top over, but its axis goes round the vertical instead, and nods.',
    why: WHY.top,
    note: 'The path of the axis has cusps, for the top was let go at rest. Spin it more slowly, and it falls further.',
    slider: { label: 'Spin', min: 20, max: 200, unit: ' rad/s', get: ({ velocity }) => velocity[2], set: (x) => ({ velocity: [0, 0, x] }) },
    moments: ['g m²', 1e-3],
    fact: (_, { inertia, parameters }) => `Upright, it stays up above ${digits(2 * Math.sqrt(parameters.strength[0] * inertia[0]) / inertia[2], 3)} rad/s.`,
    settings: { problem: 'heavy_top', inertia: moments('top'), attitude: tilt(25), velocity: [0, 0, 100],
      parameters: { strength: [weight('top')] }, methods: ['s6_10+exact', 'verlet+exact'], step: 0.002, length: 8, speed: 0.2 } },
  { name: 'gyroscope', title: 'Gyroscope', camera: { from: [3.7, -2.7, 2.1], target: [0, 0, 0] }, shape: 'gyroscope', unit: ['s', 1], gravity: true,
    see: 'Held at one end, the gyroscope does not fall: it goes round, the slower the faster it spins.',
    why: WHY.top,
    note: 'The frame goes round with the axle; the wheel spins in it. Gravity turns the golden arrow sideways.',
    slider: { label: 'Spin', min: 120, max: 500, unit: ' rad/s', get: ({ velocity }) => velocity[2], set: (x) => ({ velocity: going(x) }) },
    moments: ['g m²', 1e-3], fact: (_, { velocity }) => `It goes round once in ${digits(2 * Math.PI / Math.abs(velocity[0]), 3)} s.`,
    settings: { problem: 'heavy_top', inertia: moments('gyroscope'), attitude: [Math.SQRT1_2, 0, Math.SQRT1_2, 0], velocity: going(250),
      parameters: { strength: [weight('gyroscope')] }, methods: ['s6_10+exact', 'verlet+exact'], step: 0.001, length: 6, speed: 0.15 } },
  { name: 'polhode', title: 'Rolling ellipsoid', panes: ['polhode', 'rolling'],
    see: 'An ellipsoid that belongs to the body rolls on a plane that belongs to space.',
    why: WHY.free,
    note: 'Poinsot’s picture of every free motion: the path of the contact on the ellipsoid is the polhode, that on the plane ' +
      'the herpolhode.',
    slider: leaning('Spin from axis 3', 2, 2, 1, 0, 90),
    fact: ({ period }) => (Number.isFinite(period) ? `Once round the polhode takes ${digits(period, 3)}.` : ''),
    settings: { problem: 'free', inertia: [1, 2, 2.9], velocity: spin(2, 2, 1, 40), methods: ['exact'], step: 0.05, length: 60 } },
  { name: 'asteroid', title: 'Tumbling asteroid', shape: 'asteroid', unit: ['d', 1],
    see: 'An asteroid of two lobes tumbles, as Toutatis does: it has no day of one length.',
    why: WHY.free,
    note: 'Two periods that do not fit together: one about the long axis, one of this axis about the momentum.',
    slider: leaning('Off the long axis', 1.6, 0, 1, 0, 89),
    fact: ({ period }) => (Number.isFinite(period) ? `It rocks about its long axis in ${digits(period, 3)} d.` : ''),
    settings: { problem: 'free', inertia: ratios('asteroid'), velocity: spin(1.6, 0, 1, 35), methods: ['exact', 'mr'], step: 0.1, length: 60 } },
  { name: 'spacecraft', title: 'Satellite in low orbit', shape: 'satellite', orbit: 'frame', unit: ['min', 60],
    see: 'Gravity pulls more at the near end, so the satellite swings about the direction to the Earth.',
    why: WHY.planet,
    note: 'Seen along with the orbit, 500 km up. Let it swing far enough, and it turns over.',
    slider: { label: 'Pitch at first', min: 0, max: 89, unit: '°', get: ({ attitude }) => digits(2 * Math.atan2(attitude[3], attitude[0]) / DEGREE, 4),
      set: (x) => ({ attitude: [digits(Math.cos(x * DEGREE / 2), 12), 0, 0, digits(Math.sin(x * DEGREE / 2), 12)] }) },
    moments: ['kg m²', 1],
    fact: () => {
      const [a, b, c] = shaped.satellite.moments;
      return `Small swings take ${digits(2 * Math.PI / (ORBIT * Math.sqrt(3 * (b - a) / c)) / 60, 3)} min.`;
    },
    settings: { problem: 'spacecraft', inertia: moments('satellite'), attitude: [Math.cos(15 * DEGREE), 0, 0, Math.sin(15 * DEGREE)],
      velocity: [0, 0, digits(ORBIT, 10)], parameters: { semi_major_axis: [6.878e6] }, methods: ['srkn6_14a+exact', 'verlet+exact'],
      step: 20, length: 30000, speed: 400 } },
  { name: 'hyperion', title: 'Hyperion, moon of Saturn', shape: 'moon', orbit: 'space', unit: ['d', DAY],
    see: 'A moon of Saturn, long and on an eccentric orbit, tumbles chaotically: its attitude cannot be told for long.',
    why: 'Saturn pulls more strongly at the near end of the moon, and on an eccentric orbit this pull changes all the time. ' +
      'Swinging to and fro and turning over are then so close together that the smallest difference decides between them. ' +
      'Such differences grow e times in 23 days, so nobody can tell the attitude for long.',
    note: 'Compare methods or change the last digit of the start: after some hundred days nothing is left in common.',
    slider: parameter('eccentricity', 'Eccentricity of the orbit', 0, 0.2),
    fact: () => 'Errors grow e times in 23 days.',
    settings: { problem: 'spacecraft', inertia: ratios('moon'), attitude: [1, 0.05, 0.03, 0], velocity: [0, 0, digits(1.2 * SATURN)],
      parameters: { mu: [3.7931e16], semi_major_axis: [1.481e9], eccentricity: [0.123] }, methods: ['srkn6_14a+exact', 'verlet+exact'],
      step: 10000, length: 600 * DAY, speed: 8 * DAY } },
  { name: 'double_pendulum', title: 'Double pendulum',
    see: 'Two rods, one at the end of the other: nearby motions part within seconds.',
    why: 'Each rod pulls at the other, and the pull depends on both angles and both speeds. ' +
      'When the lower rod stands almost upright, a hair’s breadth decides to which side it falls: so small differences grow.',
    note: 'Two rods, chaotic: motions part e times as far in two units of time (exponent 0.5), and so ' +
      'the methods part for good after a while. RATTLE lets the energy ' +
      'swing and brings it back; the Runge-Kutta method is more accurate, and slowly loses it.',
    slider: parameter('length2', 'Length of the lower rod', 0.2, 2),
    settings: { problem: 'double_pendulum', methods: ['rattle', 'rkmk4'], step: 0.01, length: 20 } },
  { name: 'vortices', title: 'Whirls on a sphere',
    see: 'Six whirls on a sphere carry each other along; their moment, the arrow, never moves.',
    why: 'Each whirl moves with the wind that all the others make at its place. ' +
      'What one whirl does to another, the other does to it, so the sum of their places, the arrow, stays the same.',
    note: 'Six whirls on a sphere carry each other along. Their moment, an arrow, never moves.',
    slider: parameter('strength', 'Strength', 0.2, 3),
    settings: { problem: 'vortices', methods: ['spherical_midpoint', 'rkmk4'], step: 0.1, length: 100,
      speed: 4 } },
  { name: 'dipolar_spheres', title: 'Magnetic balls',
    see: 'Small magnets, let go on a lattice, turn each other and gather in pairs and chains.',
    why: 'Unlike ends of two magnets attract each other, like ends repel. ' +
      'The energy is lowest where they stand in a row, head to tail: so they turn into rows and form chains.',
    note: 'A hundred and twenty-five small magnets, let go on a lattice, attract and turn each other, ' +
      'and gather in pairs and chains.',
    slider: { label: 'Dipole', min: 0, max: 2, unit: '', get: ({ parameters }) => parameters.dipole?.[2] ?? 1,
      set: (x, { parameters }) => ({ parameters: { ...parameters, dipole: [0, x, x] } }) },
    settings: { problem: 'dipolar_spheres', methods: ['verlet+exact'], step: 0.01, length: 20, speed: 1 } },
  { name: 'cloud', title: '10 000 rackets',
    see: 'Ten thousand rackets are thrown almost alike: each point is the momentum of one, seen from its body, and they spread over their curves.',
    why: 'Each body keeps its energy and its angular momentum, so its point stays on a curve of its own. ' +
      'The time once round differs from curve to curve, most of all near the crossing, where a body waits before it flips. ' +
      'So the points spread along the curves, though nothing disturbs them.',
    note: 'Ten thousand rackets are thrown almost alike. They flip together at first; small ' +
      'differences add up, and order is lost. Go back in time, and it returns.',
    slider: { label: 'Spread of the starts', min: 0, max: 0.05, unit: '', get: ({ spread }) => spread, set: (x) => ({ spread: x }) },
    settings: { problem: 'free', inertia: [1, 2, 2.9], velocity: [0.02, 2, 0.02], bodies: 10000,
      spread: 0.01, methods: ['exact'], step: 0.05, length: 120, speed: 2 } },
  { name: 'water', title: 'Water molecule', shape: 'water', unit: ['ps', 1],
    see: 'A molecule of water turns some trillion times a second, and flips as a racket does.',
    why: WHY.free,
    note: 'Three different moments, the middle one about the axis of symmetry. A quantum of turning is not much smaller than this.',
    slider: leaning('Off the axis of symmetry', 15, 1, 0, 0.1, 60), fact: (facts) => flips(facts, null, 'ps'), moments: ['· 10⁻⁴⁷ kg m²', 1],
    settings: { problem: 'free', inertia: moments('water', 1e-47), velocity: spin(15, 1, 0, 4), methods: ['exact', 'mr'],
      step: 0.01, length: 6, speed: 0.15 } },
  { name: 'slow_top', title: 'Slow top, falling over', gravity: true,
    see: 'A top that turns slowly falls far over and rises again.',
    why: WHY.top,
    note: 'A top that turns slowly falls far over and rises again. Its axis draws large loops on the ' +
      'sphere of directions.',
    slider: parameter('strength', 'Weight', 1, 40),
    settings: { problem: 'slow_top', methods: ['s6_10+exact', 'verlet+exact', 'imidm'], step: 0.04,
      length: 40 } },
  { name: 'fast_top', title: 'Fast top, staying up', gravity: true,
    see: 'A fast top stays up: its axis goes slowly round the vertical, in small quick nods.',
    why: WHY.top,
    note: 'A fast top stays up: its axis goes slowly round the vertical, in small quick nods.',
    slider: parameter('strength', 'Weight', 1, 60),
    settings: { problem: 'fast_top', methods: ['s6_10+exact', 'liemid'], step: 0.005, length: 20,
      speed: 0.5 } },
  { name: 'satellite', title: 'Satellite of a heavy planet', orbit: 'below',
    see: 'Close to a very heavy planet gravity turns a satellite within a second.',
    why: WHY.planet,
    note: 'A satellite close to a heavy planet: gravity pulls more at its near end, and turns it. ' +
      'Time is slowed down, for it turns four times a second.',
    slider: parameter('radius', 'Distance', 1e5, 4e5, ' m'),
    settings: { problem: 'satellite', methods: ['srkn6_14a+exact', 'verlet+mr'], step: 0.01, length: 20,
      speed: 0.1 } },
  { name: 'soft_wall', title: 'Tip against a soft wall', wall: true,
    see: 'The pin of this body hits a soft wall again and again.',
    why: 'The wall pushes only when the tip is near it: this turns the body away, and between two pushes it turns freely. ' +
      'A computer goes in steps: where a step is too long for such a short, strong push, it makes an error.',
    note: 'A tip of the body hits a soft wall again and again. Watch the energy: methods that are ' +
      'symplectic let it swing, and bring it back.',
    slider: parameter('offset', 'Distance of the wall', 1.02, 1.5),
    settings: { problem: 'soft_wall', methods: ['s6_10+exact', 'verlet+exact', 'bbtrap'], step: 0.02,
      length: 40, speed: 2 } },
  { name: 'magnets', title: 'Compass needles',
    see: 'Sixteen compass needles: one is out of line, another gets a push, and a wave runs through all.',
    why: 'Each needle turns towards the magnetic field of all the others. ' +
      'One that is out of line changes the field at its neighbours, they begin to swing, and turn theirs in turn: a wave.',
    note: 'Sixteen compass needles on a grid. One was turned out of line, and another given a push: ' +
      'a wave runs through the others.',
    slider: parameter('spacing', 'Distance of the needles', 0.022, 0.04, ' m'),
    settings: { problem: 'magnets', methods: ['s6_10+circle'], step: 0.001, length: 4, speed: 0.1 } },
];

// The three moments of inertia of a run, named.
const RANKS = ['the smallest', 'the middle one', 'the largest'];
export function momentsInWords({ moments: J, period }, preset) {
  const [unit, size] = preset?.moments ?? ['', 1];
  const order = [...J].sort((a, b) => a - b);
  const apart = unstableAxis(J) >= 0;
  return J.map((x, k) => {
    const words = [SHAPES[preset?.shape]?.axes?.[k], ...(apart && period !== null ? [RANKS[order.indexOf(x)]] : [])].filter(Boolean).join(', ');
    return `J${'₁₂₃'[k]} = ${digits(x / size, 3)}${unit ? ` ${unit}` : ''}${words ? ` (${words})` : ''}`;
  }).join('; ');
}
