//! Weights of Blokus by least squares on the lead in points at the end.
//!
//! Each turn has the weights of the two knots around it, so a position counts for both in parts. A pull towards nought
//! (ridge) keeps figures that say nearly the same from growing against each other.

use spielleiter_engine::blokus::eval::{FIGURES, KNOTS, knot_of};

const SIZE: usize = FIGURES * KNOTS.len();
const RIDGE: f64 = 1e-3;

/// A position, and what came of it.
pub struct Sample {
    /// The turn.
    pub turn: u8,
    /// The figures of the evaluation.
    pub figures: [f32; FIGURES],
    /// By how much the lead of ONE grew until the end.
    pub gain: f32,
}

impl Sample {
    /// The weights that this position counts for, and by how much.
    fn parts(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let (knot, share) = knot_of(self.turn);
        (0..2 * FIGURES).map(move |i| {
            let (next, figure) = (i / FIGURES, i % FIGURES);
            let part = if next == 1 { share } else { 1.0 - share };
            ((knot + next) * FIGURES + figure, f64::from(self.figures[figure] * part))
        })
    }

    fn expected(&self, weights: &[f64]) -> f64 {
        self.parts().map(|(i, part)| weights[i] * part).sum()
    }
}

/// The weights knot by knot, and for each knot the standard deviation of what they leave open.
pub fn fit(samples: &[Sample], spread: &[f32]) -> (Vec<f64>, Vec<f64>) {
    let (mut matrix, mut target) = (vec![[0.0; SIZE]; SIZE], vec![0.0; SIZE]);
    for sample in samples {
        let (knot, share) = knot_of(sample.turn);
        let deviation = f64::from(spread[knot] * (1.0 - share) + spread[knot + 1] * share);
        let weight = deviation.powi(-2);
        let parts: Vec<(usize, f64)> = sample.parts().collect();
        for &(i, a) in &parts {
            target[i] += weight * a * f64::from(sample.gain);
            for &(j, b) in &parts {
                matrix[i][j] += weight * a * b;
            }
        }
    }
    for i in 0..SIZE {
        matrix[i][i] += RIDGE * matrix[i][i] + 1e-6;
    }
    let weights = solve(matrix, target);
    let (mut sums, mut counts) = (vec![0.0; KNOTS.len()], vec![1e-9; KNOTS.len()]);
    for sample in samples {
        let (knot, share) = knot_of(sample.turn);
        let nearest = knot + usize::from(share > 0.5);
        sums[nearest] += (f64::from(sample.gain) - sample.expected(&weights)).powi(2);
        counts[nearest] += 1.0;
    }
    let spread = sums.iter().zip(&counts).map(|(sum, count)| (sum / count).sqrt()).collect();
    (weights, spread)
}

/// Solves for a symmetric positive matrix (Cholesky).
fn solve(mut matrix: Vec<[f64; SIZE]>, mut target: Vec<f64>) -> Vec<f64> {
    for i in 0..SIZE {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| matrix[i][k] * matrix[j][k]).sum();
            let rest = matrix[i][j] - sum;
            matrix[i][j] = if i == j { rest.max(1e-12).sqrt() } else { rest / matrix[j][j] };
        }
    }
    for i in 0..SIZE {
        let sum: f64 = (0..i).map(|k| matrix[i][k] * target[k]).sum();
        target[i] = (target[i] - sum) / matrix[i][i];
    }
    for i in (0..SIZE).rev() {
        let sum: f64 = (i + 1..SIZE).map(|k| matrix[k][i] * target[k]).sum();
        target[i] = (target[i] - sum) / matrix[i][i];
    }
    target
}

/// The weights as the source text of `blokus/weights.rs`.
pub fn source(weights: &[f64], spread: &[f64], origin: &str) -> String {
    let list = |numbers: &[f64]| numbers.iter().map(|x| format!("{x:.2}")).collect::<Vec<_>>().join(", ");
    let rows: Vec<String> = weights.chunks(FIGURES).map(|row| format!("    [{}],\n", list(row))).collect();
    format!(
        "//! The weights of the evaluation, made by `{origin}` (see docs/engine.md).\n\n\
         use super::eval::{{FIGURES, KNOTS}};\n\n\
         /// By how many points the lead at the end differs from what the weights expect (standard deviation), knot by \
         knot.\n\
         pub static SPREAD: [f32; KNOTS.len()] = [{}];\n\n\
         /// What a unit of each figure adds to the lead until the end, knot by knot.\n\
         #[rustfmt::skip]\n\
         pub static WEIGHTS: [[f32; FIGURES]; KNOTS.len()] = [\n{}];\n",
        list(spread),
        rows.concat()
    )
}
