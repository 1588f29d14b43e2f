//! The functions of the C library, and of glue.c.

use std::os::raw::{c_char, c_int, c_void};

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Vec3(pub [f64; 3]);

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct State {
    pub q: [f64; 4],
    pub m: [f64; 3],
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Body {
    pub moments: [f64; 3],
    pub axes: [f64; 4],
    pub principal: bool,
}

#[repr(C)]
#[derive(Clone)]
pub struct Motion(pub [f64; 96]);

#[repr(C)]
pub struct Batch {
    pub n: usize,
    pub q: [*mut f64; 4],
    pub m: [*mut f64; 3],
    pub inertia: [*const f64; 3],
}

#[repr(C)]
pub struct Setting {
    pub name: *const c_char,
    pub values: *const f64,
    pub count: usize,
}

#[repr(C)]
pub struct Mat3(pub [[f64; 3]; 3]);

extern "C" {
    pub fn ph_version() -> *const c_char;
    pub fn ph_status_text(status: c_int) -> *const c_char;
    pub fn ph_body_from_moments(body: *mut Body, moments: Vec3) -> c_int;
    pub fn ph_body_from_tensor(body: *mut Body, tensor: Mat3) -> c_int;
    pub fn ph_body_physical(body: *const Body) -> bool;
    pub fn ph_body_velocity(body: *const Body, momentum: Vec3) -> Vec3;
    pub fn ph_body_momentum(body: *const Body, velocity: Vec3) -> Vec3;
    pub fn ph_body_energy(body: *const Body, state: *const State) -> f64;
    pub fn ph_motion_prepare(motion: *mut Motion, body: *const Body, start: *const State) -> c_int;
    pub fn ph_motion_at(motion: *const Motion, time: f64) -> State;
    pub fn ph_motion_period(motion: *const Motion) -> f64;
    pub fn ph_motion_precession(motion: *const Motion) -> f64;
    pub fn ph_flow_named(name: *const c_char, out: *mut *const c_void) -> c_int;
    pub fn ph_flow_step(flow: *const c_void, body: *const Body, state: *mut State, h: f64) -> c_int;
    pub fn ph_batch_step(flow: *const c_void, batch: *const Batch, h: f64, failed: *mut usize) -> c_int;
    pub fn ph_system_destroy(system: *mut c_void);
    pub fn ph_system_time(system: *const c_void) -> f64;
    pub fn ph_system_steps(system: *const c_void) -> u64;
    pub fn ph_system_energy(system: *mut c_void) -> f64;
    pub fn ph_system_save(system: *const c_void, to: *mut c_void, size: usize) -> usize;
    pub fn ph_system_from_snapshot(from: *const c_void, size: usize, out: *mut *mut c_void) -> c_int;
    #[cfg(test)]
    pub fn rust_sizes(which: c_int) -> usize;
    pub fn rust_bits(steps: u64) -> u64;
    pub fn rust_name(what: c_int, i: usize) -> *const c_char;
    pub fn rust_system_create(
        problem: *const c_char, integrator: *const c_char, step: f64, tolerance: f64, settings: *const Setting,
        count: usize, text: *mut c_char, out: *mut *mut c_void,
    ) -> c_int;
    pub fn rust_system_run(system: *mut c_void, steps: u64) -> c_int;
    pub fn rust_system_run_until(system: *mut c_void, time: f64) -> c_int;
    pub fn rust_system_field(system: *const c_void, name: *const c_char, to: *mut f64, room: usize) -> usize;
}
