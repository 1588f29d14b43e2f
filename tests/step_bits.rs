// step_bits.rs - the checksum of step_bits.c by polhode_step.rs.
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
}
