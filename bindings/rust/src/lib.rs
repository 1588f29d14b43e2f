//! How a rigid body turns, computed so that the physics survives. A free body is solved exactly, at any time
//! and without steps; satellites and tops in a field by integrators that keep what the motion keeps. The numbers
//! are those of the C library, which this crate builds, to the last bit.
//!
//! ```
//! use polhode::{Body, Start, System};
//!
//! let motion = Body::new([1.0, 2.0, 3.0])?.motion(Start::velocity([0.0, 2.0, 1e-8]))?;
//! println!("{:?}", motion.at(30.0).momentum); // the tennis racket has flipped
//! let mut top = System::new("heavy_top", "s6_10+exact").step(0.01).set("strength", &[2.0]).create()?;
//! top.run_until(10.0)?;
//! println!("{:?} {}", top.attitude()?, top.energy());
//! # Ok::<(), polhode::Error>(())
//! ```
//!
//! Attitudes are quaternions, scalar first, from body to space; momenta and angular velocities are in the frame of
//! the body. Units are the caller's.

#![warn(missing_docs)]

mod ffi;

use std::ffi::{CStr, CString};
use std::fmt;
use std::mem::MaybeUninit;
use std::os::raw::{c_char, c_int, c_void};

/// What the library refuses, in its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

/// What a function returns that the library may refuse.
pub type Result<T> = std::result::Result<T, Error>;

fn text(at: *const c_char) -> String {
    // Safety: texts of the library are static and end with a zero.
    unsafe { CStr::from_ptr(at) }.to_string_lossy().into_owned()
}

fn check(status: c_int) -> Result<()> {
    match status {
        0 => Ok(()),
        // Safety: any number is allowed.
        _ => Err(Error(text(unsafe { ffi::ph_status_text(status) }))),
    }
}

fn name(of: &str) -> Result<CString> {
    CString::new(of).map_err(|_| Error("a name must not contain a null character".into()))
}

/// The version of the library.
pub fn version() -> String {
    // Safety: has no argument.
    text(unsafe { ffi::ph_version() })
}

/// The checksum over everything the library computes: that of `polhode bits`, in every build.
pub fn bits(steps: u64) -> String {
    // Safety: has no pointer.
    format!("{:016x}", unsafe { ffi::rust_bits(steps) })
}

fn names(what: c_int) -> Vec<String> {
    // Safety: NULL beyond the last, else a static text.
    (0..).map(|i| unsafe { ffi::rust_name(what, i) }).take_while(|at| !at.is_null()).map(text).collect()
}

/// The names of the flows: integrators of the free body.
pub fn flows() -> Vec<String> {
    names(0)
}

/// The names of the splitting schemes; `scheme+flow` is an integrator.
pub fn schemes() -> Vec<String> {
    names(1)
}

/// The names of the methods.
pub fn methods() -> Vec<String> {
    names(2)
}

/// The names of the problems.
pub fn problems() -> Vec<String> {
    names(3)
}

/// An attitude, and the angular momentum and velocity in the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// Unit quaternion, scalar first, body to space.
    pub attitude: [f64; 4],
    /// In the body.
    pub momentum: [f64; 3],
    /// In the body.
    pub velocity: [f64; 3],
}

/// Where a motion starts: the identity, unless an attitude is given.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    attitude: [f64; 4],
    speed: [f64; 3],
    is_momentum: bool,
}

impl Start {
    /// With an angular velocity in the body.
    pub fn velocity(velocity: [f64; 3]) -> Start {
        Start { attitude: [1.0, 0.0, 0.0, 0.0], speed: velocity, is_momentum: false }
    }

    /// With an angular momentum in the body.
    pub fn momentum(momentum: [f64; 3]) -> Start {
        Start { speed: momentum, is_momentum: true, ..Start::velocity([0.0; 3]) }
    }

    /// From another attitude.
    pub fn attitude(self, attitude: [f64; 4]) -> Start {
        Start { attitude, ..self }
    }
}

/// A rigid body.
#[derive(Clone, Copy, Debug)]
pub struct Body(ffi::Body);

impl Body {
    /// From three principal moments of inertia.
    pub fn new(moments: [f64; 3]) -> Result<Body> {
        // Safety: the library writes the body where it accepts the moments.
        let mut body = MaybeUninit::zeroed();
        check(unsafe { ffi::ph_body_from_moments(body.as_mut_ptr(), ffi::Vec3(moments)) })?;
        Ok(Body(unsafe { body.assume_init() }))
    }

    /// From the inertia tensor in any frame fixed in the body, which is then that of everything about it.
    pub fn from_tensor(tensor: [[f64; 3]; 3]) -> Result<Body> {
        // Safety: as above.
        let mut body = MaybeUninit::zeroed();
        check(unsafe { ffi::ph_body_from_tensor(body.as_mut_ptr(), ffi::Mat3(tensor)) })?;
        Ok(Body(unsafe { body.assume_init() }))
    }

    /// The principal moments.
    pub fn moments(&self) -> [f64; 3] {
        self.0.moments
    }

    /// Whether matter can have these moments: none above the sum of the others.
    pub fn physical(&self) -> bool {
        // Safety: a body of the library.
        unsafe { ffi::ph_body_physical(&self.0) }
    }

    /// The angular velocity of a momentum.
    pub fn velocity(&self, momentum: [f64; 3]) -> [f64; 3] {
        // Safety: a body of the library.
        unsafe { ffi::ph_body_velocity(&self.0, ffi::Vec3(momentum)) }.0
    }

    /// The momentum of an angular velocity.
    pub fn momentum(&self, velocity: [f64; 3]) -> [f64; 3] {
        // Safety: a body of the library.
        unsafe { ffi::ph_body_momentum(&self.0, ffi::Vec3(velocity)) }.0
    }

    fn start(&self, start: Start) -> ffi::State {
        let m = if start.is_momentum { start.speed } else { self.momentum(start.speed) };
        ffi::State { q: start.attitude, m }
    }

    fn state(&self, s: ffi::State) -> State {
        State { attitude: s.q, momentum: s.m, velocity: self.velocity(s.m) }
    }

    /// The state at the start.
    pub fn at_start(&self, start: Start) -> State {
        self.state(self.start(start))
    }

    /// The exact free motion.
    pub fn motion(&self, start: Start) -> Result<Motion> {
        let start = self.start(start);
        let mut exact = ffi::Motion([0.0; 96]);
        // Safety: all three are valid for the call.
        check(unsafe { ffi::ph_motion_prepare(&mut exact, &self.0, &start) })?;
        // Safety: as above.
        let energy = unsafe { ffi::ph_body_energy(&self.0, &start) };
        Ok(Motion { body: *self, exact, energy })
    }
}

/// An exact free motion: any time, forward or back, without steps.
#[derive(Clone)]
pub struct Motion {
    body: Body,
    exact: ffi::Motion,
    energy: f64,
}

impl Motion {
    /// The state a time after the start; NaN if the time is not finite.
    pub fn at(&self, time: f64) -> State {
        // Safety: a prepared motion, which is not changed.
        self.body.state(unsafe { ffi::ph_motion_at(&self.exact, time) })
    }

    /// The kinetic energy, which is constant.
    pub fn energy(&self) -> f64 {
        self.energy
    }

    /// The time in which the momentum goes round once in the body; infinite where it stays.
    pub fn period(&self) -> f64 {
        // Safety: a prepared motion.
        unsafe { ffi::ph_motion_period(&self.exact) }
    }

    /// The mean angular velocity at which the axis that the momentum encircles goes about it in space.
    pub fn precession(&self) -> f64 {
        // Safety: a prepared motion.
        unsafe { ffi::ph_motion_precession(&self.exact) }
    }
}

/// An integrator of the free body, by its name.
#[derive(Clone, Copy, Debug)]
pub struct Flow(*const c_void);

// Safety: descriptors are constant, and steps touch no global.
unsafe impl Send for Flow {}
unsafe impl Sync for Flow {}

impl Flow {
    /// One of `flows()`, or a composition such as `sr2:suzuki4`.
    pub fn named(of: &str) -> Result<Flow> {
        let mut flow = std::ptr::null();
        // Safety: the library writes the pointer where it knows the name.
        check(unsafe { ffi::ph_flow_named(name(of)?.as_ptr(), &mut flow) })?;
        Ok(Flow(flow))
    }

    /// Advances a state by a time h; it stays as it was where the step fails.
    pub fn step(&self, body: &Body, state: &mut State, h: f64) -> Result<()> {
        let mut s = ffi::State { q: state.attitude, m: state.momentum };
        // Safety: all are valid for the call.
        check(unsafe { ffi::ph_flow_step(self.0, &body.0, &mut s, h) })?;
        *state = body.state(s);
        Ok(())
    }
}

/// Many free bodies in columns, in principal axes, stepped in vector lanes and by all cores.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Principal moments, a column for each.
    pub inertia: [Vec<f64>; 3],
    /// Unit quaternions, scalar first.
    pub attitude: [Vec<f64>; 4],
    /// Angular momenta in the bodies.
    pub momentum: [Vec<f64>; 3],
}

impl Batch {
    /// How many bodies there are: the length of every column, else an error.
    pub fn count(&self) -> Result<usize> {
        let n = self.inertia[0].len();
        let columns = self.inertia.iter().chain(&self.attitude).chain(&self.momentum);
        if columns.map(Vec::len).all(|length| length == n) {
            Ok(n)
        } else {
            Err(Error("the columns of a batch must have the same length".into()))
        }
    }

    /// Advances every body by a time h. A body whose step fails stays as it was, the others are advanced; the
    /// error names the first.
    pub fn step(&mut self, flow: Flow, h: f64) -> Result<()> {
        let n = self.count()?;
        let columns = ffi::Batch {
            n,
            q: self.attitude.each_mut_pointer(),
            m: self.momentum.each_mut_pointer(),
            inertia: [self.inertia[0].as_ptr(), self.inertia[1].as_ptr(), self.inertia[2].as_ptr()],
        };
        let mut failed = 0;
        // Safety: columns of n numbers each, which are the batch's own.
        check(unsafe { ffi::ph_batch_step(flow.0, &columns, h, &mut failed) })
            .map_err(|Error(words)| Error(format!("{words}, body {failed}")))
    }
}

trait Pointers<const N: usize> {
    fn each_mut_pointer(&mut self) -> [*mut f64; N];
}

impl<const N: usize> Pointers<N> for [Vec<f64>; N] {
    fn each_mut_pointer(&mut self) -> [*mut f64; N] {
        let mut all = [std::ptr::null_mut(); N];
        for (to, column) in all.iter_mut().zip(self) {
            *to = column.as_mut_ptr();
        }
        all
    }
}

/// The settings of a system; `create` makes it.
#[derive(Clone, Debug)]
pub struct Settings {
    problem: String,
    method: String,
    step: f64,
    tolerance: f64,
    values: Vec<(String, Vec<f64>)>,
}

impl Settings {
    /// The length of a step.
    pub fn step(self, step: f64) -> Settings {
        Settings { step, ..self }
    }

    /// The error allowed per turn, of a method that chooses its steps.
    pub fn tolerance(self, tolerance: f64) -> Settings {
        Settings { tolerance, ..self }
    }

    /// A parameter of the problem, or a part of the start: inertia, tensor, attitude, momentum, velocity.
    pub fn set(mut self, name: &str, values: &[f64]) -> Settings {
        self.values.push((name.into(), values.into()));
        self
    }

    /// Makes the system.
    pub fn create(&self) -> Result<System> {
        let names = self.values.iter().map(|(of, _)| name(of)).collect::<Result<Vec<_>>>()?;
        let settings: Vec<_> = names
            .iter()
            .zip(&self.values)
            .map(|(name, (_, x))| ffi::Setting { name: name.as_ptr(), values: x.as_ptr(), count: x.len() })
            .collect();
        let (problem, method) = (name(&self.problem)?, name(&self.method)?);
        let mut words = [0 as c_char; 512];
        let mut system = std::ptr::null_mut();
        // Safety: everything lives until the call returns; the library writes a text that ends with a zero.
        let status = unsafe {
            ffi::rust_system_create(problem.as_ptr(), method.as_ptr(), self.step, self.tolerance, settings.as_ptr(), settings.len(), words.as_mut_ptr(), &mut system)
        };
        match status {
            0 => Ok(System(system)),
            _ if words[0] != 0 => Err(Error(text(words.as_ptr()))),
            _ => check(status).map(|()| System(system)),
        }
    }
}

/// What moves: a problem and an integrator by their names, as in `polhode run`, with its bits.
#[derive(Debug)]
pub struct System(*mut c_void);

// Safety: a system has no part that others share.
unsafe impl Send for System {}

impl System {
    /// Settings to be completed and created.
    #[allow(clippy::new_ret_no_self)]
    pub fn new(problem: &str, method: &str) -> Settings {
        Settings { problem: problem.into(), method: method.into(), step: 0.0, tolerance: 0.0, values: Vec::new() }
    }

    /// The system of a snapshot.
    pub fn load(snapshot: &[u8]) -> Result<System> {
        let mut system = std::ptr::null_mut();
        // Safety: the bytes are only read, and checked.
        check(unsafe { ffi::ph_system_from_snapshot(snapshot.as_ptr().cast(), snapshot.len(), &mut system) })?;
        Ok(System(system))
    }

    /// A snapshot, from which `load`, the tool and Python go on with the same bits.
    pub fn save(&self) -> Vec<u8> {
        // Safety: with no room the library only tells the size.
        let mut bytes = vec![0; unsafe { ffi::ph_system_save(self.0, std::ptr::null_mut(), 0) }];
        unsafe { ffi::ph_system_save(self.0, bytes.as_mut_ptr().cast(), bytes.len()) };
        bytes
    }

    /// Takes steps.
    pub fn run(&mut self, steps: u64) -> Result<()> {
        // Safety: a system of the library.
        check(unsafe { ffi::rust_system_run(self.0, steps) })
    }

    /// Goes to a time: with fixed steps one that is a whole number of them away.
    pub fn run_until(&mut self, time: f64) -> Result<()> {
        // Safety: a system of the library.
        check(unsafe { ffi::rust_system_run_until(self.0, time) })
    }

    /// The time it has come to.
    pub fn time(&self) -> f64 {
        // Safety: a system of the library.
        unsafe { ffi::ph_system_time(self.0) }
    }

    /// The steps it has taken.
    pub fn steps(&self) -> u64 {
        // Safety: a system of the library.
        unsafe { ffi::ph_system_steps(self.0) }
    }

    /// The energy now.
    pub fn energy(&mut self) -> f64 {
        // Safety: a system of the library.
        unsafe { ffi::ph_system_energy(self.0) }
    }

    /// Any field by its name, entry by entry: `attitude`, `momentum`, `position` ...
    pub fn field(&self, of: &str) -> Result<Vec<f64>> {
        let key = name(of)?;
        // Safety: with no room the library only tells the size.
        let mut x = vec![0.0; unsafe { ffi::rust_system_field(self.0, key.as_ptr(), std::ptr::null_mut(), 0) }];
        if x.is_empty() {
            return Err(Error(format!("this system has no {of}")));
        }
        unsafe { ffi::rust_system_field(self.0, key.as_ptr(), x.as_mut_ptr(), x.len()) };
        Ok(x)
    }

    fn fixed<const N: usize>(&self, of: &str) -> Result<[f64; N]> {
        self.field(of)?.try_into().map_err(|_| Error(format!("the {of} of this system is a list")))
    }

    /// The attitude of a system that is one body.
    pub fn attitude(&self) -> Result<[f64; 4]> {
        self.fixed("attitude")
    }

    /// Its angular momentum, in the body.
    pub fn momentum(&self) -> Result<[f64; 3]> {
        self.fixed("momentum")
    }

    /// Its angular velocity, in the body.
    pub fn velocity(&self) -> Result<[f64; 3]> {
        self.fixed("velocity")
    }
}

impl Drop for System {
    fn drop(&mut self) {
        // Safety: made by the library, and destroyed once.
        unsafe { ffi::ph_system_destroy(self.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::size_of;

    #[test]
    fn structures_have_the_sizes_of_the_library() {
        let ours = [size_of::<ffi::Body>(), size_of::<ffi::Motion>(), size_of::<ffi::Batch>(), size_of::<ffi::Setting>()];
        for (which, size) in ours.into_iter().enumerate() {
            assert_eq!(size, unsafe { ffi::rust_sizes(which as c_int) }, "structure {which}");
        }
    }
}
