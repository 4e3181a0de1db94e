//! The distributions, against values worked out in Python to 60 digits from their closed forms.

use razz_dealer::cli::rng_report::chance::{chi_square_tail, distance, distance_tail, normal_tail};

fn near(found: f64, expected: f64, relative: f64) {
    assert!((found - expected).abs() <= expected * relative, "{found:e} should be {expected:e}");
}

#[test]
fn chi_square() {
    for (statistic, degrees, p) in [
        (3.841_458_820_694_124, 1, 0.05),
        (20.0, 5, 1.249_730_563_031e-3),
        (1.0, 6, 0.985_612_322_033),
        (5.0, 20, 0.999_722_647_905_4),
        (51.0, 51, 0.473_660_653_282_0),
        (68.669, 51, 5.000_246_486_528e-2),
        (400.0, 51, 1.211_284_363_409e-55),
        (110.5, 119, 0.698_876_985_010_9),
        (2350.0, 2549, 0.997_839_522_402_5),
        (2500.0, 2601, 0.920_674_454_216_3),
        (2601.0, 2601, 0.496_312_470_656_5),
        (2900.0, 2601, 3.090_910_997_626e-5),
        (3200.0, 2651, 7.040_308_651_318e-13),
    ] {
        near(chi_square_tail(statistic, degrees), p, 1e-9);
    }
    assert!(chi_square_tail(0.0, 51) >= 1.0 && chi_square_tail(1e9, 51) <= 0.0);
}

#[test]
fn normal() {
    for (deviation, p) in [
        (0.0, 0.5),
        (1.0, 0.158_655_253_931_5),
        (1.959_963_984_540_054, 0.025),
        (-2.5, 0.993_790_334_674_2),
        (5.2, 9.964_426_316_933e-8),
        (6.0, 9.865_876_450_377e-10),
    ] {
        near(normal_tail(deviation), p, 1e-9);
    }
}

/// Of very many numbers the distribution is Kolmogorov's own.
#[test]
fn kolmogorov_smirnov() {
    let many = 1_000_000_000_000;
    for (reach, p) in [
        (0.5, 0.963_945_243_664_9),
        (0.9, 0.392_730_707_940_7),
        (0.9999, 0.270_106_881_968_9),
        (1.0001, 0.269_892_492_256_7),
        (1.3581, 4.999_963_043_167e-2),
        (1.6276, 1.000_153_733_306e-2),
        (2.5, 7.453_306_344_157e-6),
    ] {
        near(distance_tail(reach / 1e6, many), p, 1e-5);
    }
    // Of few, as in the tables: 5 and 1 in a hundred of 20 numbers, and of 66 by their formula.
    near(distance_tail(0.29408, 20), 0.05, 0.02);
    near(distance_tail(0.35241, 20), 0.01, 0.05);
    near(distance_tail(0.16457, 66), 0.05, 0.02);
    assert!(distance_tail(0.0, 66) >= 1.0);
}

#[test]
fn a_distance_is_the_farthest_on_either_side() {
    near(distance(vec![0.5]), 0.5, 1e-12);
    near(distance(vec![0.9, 0.3, 0.6]), 0.3, 1e-12);
    near(distance(vec![0.1, 0.2, 0.3, 0.4]), 0.6, 1e-12);
    near(distance(vec![0.6, 0.7, 0.8, 0.9]), 0.6, 1e-12);
    near(distance((0..100).map(|at| (f64::from(at) + 0.5) / 100.0).collect()), 0.005, 1e-9);
}
