// The crate as its users have it.

use polhode::{bits, flows, methods, problems, schemes, Batch, Body, Flow, Start, System};

#[test]
fn bits_are_those_of_every_build() {
    assert_eq!(bits(100), env!("POLHODE_BITS"));
    println!("bits {}", bits(100));
}

#[test]
fn motions_batches_and_flows_agree() {
    let body = Body::new([1.0, 2.0, 3.0]).unwrap();
    assert!(body.physical());
    let start = Start::velocity([0.1, 2.0, 0.3]).attitude([0.5, 0.5, 0.5, 0.5]);
    let exact = body.motion(start).unwrap().at(5.0);
    let mut stepped = body.at_start(start);
    Flow::named("exact").unwrap().step(&body, &mut stepped, 5.0).unwrap();
    let column = |x: &[f64], k: usize| vec![x[k]; 3];
    let m = body.momentum([0.1, 2.0, 0.3]);
    let mut batch = Batch {
        inertia: [0, 1, 2].map(|k| column(&[1.0, 2.0, 3.0], k)),
        attitude: [0, 1, 2, 3].map(|k| column(&[0.5; 4], k)),
        momentum: [0, 1, 2].map(|k| column(&m, k)),
    };
    batch.step(Flow::named("exact").unwrap(), 5.0).unwrap();
    for k in 0..4 {
        assert!((exact.attitude[k] - stepped.attitude[k]).abs() < 1e-14);
        assert_eq!(batch.attitude[k], [stepped.attitude[k]; 3]);
    }
    assert_eq!(exact.velocity, body.velocity(exact.momentum));
    batch.momentum[1].pop();
    assert!(batch.step(Flow::named("exact").unwrap(), 1.0).is_err());
}

#[test]
fn systems_run_and_go_on_from_snapshots() {
    let mut top = System::new("heavy_top", "s6_10+exact").step(0.01).set("strength", &[2.0]).create().unwrap();
    let energy = top.energy();
    top.run_until(1.0).unwrap();
    assert_eq!((top.time(), top.steps()), (1.0, 100));
    assert!((top.energy() - energy).abs() < 1e-9);
    let mut again = System::load(&top.save()).unwrap();
    again.run(3).unwrap();
    top.run(3).unwrap();
    assert_eq!(top.attitude(), again.attitude());
    assert_eq!(top.field("nothing").unwrap_err().to_string(), "this system has no nothing");
    let mut chosen = System::new("heavy_top", "gbs").tolerance(1e-12).create().unwrap();
    chosen.run_until(3.3).unwrap();
    assert_eq!(chosen.time(), 3.3);
}

#[test]
fn what_is_wrong_is_said() {
    assert!(Body::new([1.0, -2.0, 3.0]).unwrap_err().to_string().contains("positive"));
    assert!(Body::new([1.0, 2.0, 3.0]).unwrap().motion(Start::velocity([f64::NAN; 3])).is_err());
    assert!(System::new("nothing", "vlv").step(1.0).create().unwrap_err().to_string().contains("nothing"));
    assert!(System::new("free\0", "vlv").step(1.0).create().is_err());
    assert!(System::load(b"no snapshot").is_err());
    assert!(Flow::named("nothing").is_err());
    let body = Body::new([1.0, 2.0, 3.0]).unwrap();
    for (lost, h) in [(f64::NAN, 0.1), (f64::INFINITY, 0.1), (1.0, f64::NAN)] {
        let mut state = body.at_start(Start::velocity([0.1, 0.2, 0.3]));
        state.attitude[0] = lost;
        let before = format!("{state:?}");
        assert!(Flow::named("exact").unwrap().step(&body, &mut state, h).is_err());
        assert_eq!(before, format!("{state:?}"));
    }
}

#[test]
fn the_catalog_has_names() {
    for list in [flows(), schemes(), methods(), problems()] {
        assert!(list.len() > 5, "{list:?}");
    }
}
