// Builds the C library and glue.c by CMake, and tells cargo to link them. Needs cmake and a C compiler.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn run(command: &mut Command) {
    let status = command
        .status()
        .unwrap_or_else(|error| panic!("polhode: {:?} cannot be started ({}): install cmake and a C compiler", command.get_program(), error));
    assert!(status.success(), "polhode: {:?} failed", command);
}

/// Says that a change of a file anywhere in the folder is a reason to build again.
fn watch(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            watch(&entry.path());
        } else {
            println!("cargo:rerun-if-changed={}", entry.path().display());
        }
    }
}

fn main() {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap());
    let out = PathBuf::from(env::var("OUT_DIR").unwrap()).join("c");
    let packed = here.join("c"); // in the packed crate
    let source = if packed.join("CMakeLists.txt").exists() { packed } else { here.join("../..") };
    for folder in ["src", "lab", "include", "scripts"] {
        watch(&source.join(folder));
    }
    println!("cargo:rerun-if-changed=glue.c");
    // For the test: the checksum of `polhode bits` for 100 steps.
    let bits = fs::read_to_string(source.join("tests/vectors/bits.txt")).unwrap_or_default();
    let all = bits.lines().find(|line| line.ends_with(" all")).unwrap_or_default();
    println!("cargo:rustc-env=POLHODE_BITS={}", all.split(' ').next().unwrap_or_default());
    run(Command::new("cmake")
        .arg("--log-level=ERROR")
        .args(["-S", here.to_str().unwrap(), "-B", out.to_str().unwrap()])
        .arg(format!("-DPOLHODE_SOURCE={}", source.display()))
        .args(["-DPOLHODE_TOOL=OFF", "-DCMAKE_BUILD_TYPE=Release"]));
    run(Command::new("cmake")
        .args(["--build", out.to_str().unwrap(), "--target", "polhode_rust", "--parallel"])
        .arg(env::var("NUM_JOBS").unwrap_or_else(|_| "2".into())));
    println!("cargo:rustc-link-search=native={}", out.display());
    println!("cargo:rustc-link-search=native={}", out.join("polhode").display());
    println!("cargo:rustc-link-lib=static=polhode_rust");
    println!("cargo:rustc-link-lib=static=polhode");
    println!("cargo:rustc-link-lib=m");
}
