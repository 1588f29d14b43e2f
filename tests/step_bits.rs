// step_bits.rs - the checksums of step_bits.c by polhode_step.rs.
#[path = "../include/polhode_step.rs"]
mod polhode_step;
use polhode_step::*;

struct Numbers {
    state: u64,
    sum: u64,
}

impl Numbers {
    fn next(&mut self) -> f64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) as f64 / 4503599627370496. - 1.
    }

    fn add(&mut self, bytes: &[u8]) {
        for b in bytes {
            self.sum = (self.sum ^ *b as u64).wrapping_mul(1099511628211);
        }
    }
}

const SPECIAL: [f64; 16] = [
    0.,
    -0.,
    1.,
    -1.,
    2.,
    1e-5,
    4.9e-324,
    1e-300,
    -1e-160,
    1e160,
    -1e300,
    f64::MAX,
    -f64::MAX,
    f64::INFINITY,
    -f64::INFINITY,
    f64::NAN,
];
const SPECIAL_F: [f32; 16] = [
    0.,
    -0.,
    1.,
    -1.,
    2.,
    1e-5,
    1e-45,
    1e-37,
    -1e-20,
    1e20,
    -1e38,
    f32::MAX,
    -f32::MAX,
    f32::INFINITY,
    -f32::INFINITY,
    f32::NAN,
];

/// What a step changes, and what it is given.
struct Input {
    q: [f64; 4],
    w: [f64; 3],
    moments: [f64; 3],
    dt: f64,
}

impl Input {
    fn of(x: &[f64; 11]) -> Input {
        Input { q: [x[0], x[1], x[2], x[3]], w: [x[4], x[5], x[6]], moments: [x[7], x[8], x[9]], dt: x[10] }
    }

    fn is_motion(&self) -> bool {
        self.q.iter().chain(&self.w).all(|x| x.is_finite())
            && self.dt.is_finite()
            && self.q.iter().any(|&x| x != 0.)
            && !self.moments.iter().any(|x| x.is_nan())
    }

    fn holds(&self, q: &[f64; 4], w: &[f64; 3], round_off: f64, n: &mut Numbers) -> bool {
        if !self.is_motion() {
            let before = self.q.iter().chain(&self.w);
            return before.zip(q.iter().chain(w)).all(|(a, b)| a == b || (a.is_nan() && b.is_nan()));
        }
        q.iter().chain(w).for_each(|x| n.add(&x.to_ne_bytes()));
        let length: f64 = q.iter().map(|x| x * x).sum();
        (length - 1.).abs() < round_off && w.iter().all(|x| x.is_finite())
    }
}

/// Input of every sort, and what is promised for it.
fn check_every_sort(n: &mut Numbers, world: bool) -> bool {
    let few = n.next() > 0.;
    let (mut x, mut f) = ([0.0; 11], [0f32; 11]);
    for i in 0..11 {
        let (a, b) = (n.next(), n.next());
        let k = ((b + 1.) * 8.) as usize;
        let take = a > if few { 0.8 } else { 0. };
        x[i] = if take { SPECIAL[k] } else { b };
        f[i] = if take { SPECIAL_F[k] } else { b as f32 };
    }
    let input = Input::of(&x);
    let (mut q, mut w) = (input.q, input.w);
    (if world { step_world } else { step })(&mut q, &mut w, &input.moments, input.dt);
    if !input.holds(&q, &w, 1e-14, n) {
        return false;
    }
    let (mut qf, mut wf) = ([f[0], f[1], f[2], f[3]], [f[4], f[5], f[6]]);
    (if world { stepf_world } else { stepf })(&mut qf, &mut wf, &[f[7], f[8], f[9]], f[10]);
    Input::of(&f.map(f64::from)).holds(&qf.map(f64::from), &wf.map(f64::from), 1e-6, n)
}

fn main() {
    let mut n = Numbers { state: 1, sum: 14695981039346656037 };
    for body in 0..2000 {
        let (mut q, mut w, mut moments) = ([0.0; 4], [0.0; 3], [0.0; 3]);
        let (mut qf, mut wf, mut momentsf) = ([0f32; 4], [0f32; 3], [0f32; 3]);
        let dt = (if body % 5 == 4 { 20. } else { 1. }) * n.next();
        for i in 0..4 {
            q[i] = n.next();
            qf[i] = q[i] as f32;
        }
        for i in 0..3 {
            w[i] = n.next();
            moments[i] = if body % 3 == 0 && i > 0 { moments[0] } else { 1.25 + n.next() };
            wf[i] = w[i] as f32;
            momentsf[i] = moments[i] as f32;
        }
        for _ in 0..20 {
            step(&mut q, &mut w, &moments, dt);
            step_world(&mut q, &mut w, &moments, dt);
            stepf(&mut qf, &mut wf, &momentsf, dt as f32);
            stepf_world(&mut qf, &mut wf, &momentsf, dt as f32);
        }
        q.iter().for_each(|x| n.add(&x.to_ne_bytes()));
        w.iter().for_each(|x| n.add(&x.to_ne_bytes()));
        qf.iter().for_each(|x| n.add(&x.to_ne_bytes()));
        wf.iter().for_each(|x| n.add(&x.to_ne_bytes()));
    }
    println!("{:016x}", n.sum);
    for i in 0..5000 {
        assert!(check_every_sort(&mut n, i % 2 == 1), "input {i} of every sort breaks a promise");
    }
    println!("{:016x}", n.sum);
}
