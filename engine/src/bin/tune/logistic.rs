//! Weights by logistic regression on who won.

/// The terms of a position that are not nought, and the result for ONE: 1, 0.5 or 0.
pub struct Sample {
    /// Which term, and its value.
    pub terms: Vec<(u16, f32)>,
    /// How the game ended.
    pub result: f32,
}

/// Adam on the mean logistic loss, pulled a little towards the weights before.
pub fn fit(samples: &[Sample], before: &[f64], slope: f64) -> (Vec<f64>, f64) {
    let scales: Vec<f64> = (0..before.len())
        .map(|i| {
            let sum: f64 = samples
                .iter()
                .flat_map(|sample| sample.terms.iter().filter(|term| term.0 as usize == i))
                .map(|term| f64::from(term.1).powi(2))
                .sum();
            (sum / samples.len() as f64).sqrt().max(1e-3)
        })
        .collect();
    let mut weights: Vec<f64> = before.iter().zip(&scales).map(|(weight, scale)| weight * scale).collect();
    let anchor = weights.clone();
    let (mut first, mut second) = (vec![0.0; weights.len()], vec![0.0; weights.len()]);
    let mut loss = 0.0;
    for step in 1..=400 {
        let mut gradient = vec![0.0; weights.len()];
        loss = 0.0;
        for sample in samples {
            let sum: f64 = sample
                .terms
                .iter()
                .map(|&(i, value)| weights[i as usize] * f64::from(value) / scales[i as usize])
                .sum();
            let chance = 1.0 / (1.0 + (-slope * sum).exp());
            let error = chance - f64::from(sample.result);
            loss += error * error;
            for &(i, value) in &sample.terms {
                gradient[i as usize] += slope * error * f64::from(value) / scales[i as usize];
            }
        }
        loss /= samples.len() as f64;
        let rate = 2.0 / slope / 200.0 / (1.0 + f64::from(step) / 100.0);
        for i in 0..weights.len() {
            let g = gradient[i] / samples.len() as f64 / slope + 1e-7 * (weights[i] - anchor[i]) * slope;
            first[i] = 0.9 * first[i] + 0.1 * g;
            second[i] = 0.999 * second[i] + 0.001 * g * g;
            let (m, v) = (first[i] / (1.0 - 0.9_f64.powi(step)), second[i] / (1.0 - 0.999_f64.powi(step)));
            weights[i] -= rate * m / (v.sqrt() + 1e-9);
        }
    }
    (weights.iter().zip(&scales).map(|(weight, scale)| weight / scale).collect(), loss)
}
