//! Measures the engine: `workbench perft|playouts GAME-KEY ...`, in CPU time of one thread.

use spielleiter_engine::blokus::Blokus;
use spielleiter_engine::game::Position;
use spielleiter_engine::ostseeschach::Ostseeschach;
use spielleiter_engine::perft::perft;
use spielleiter_engine::piranhas::Piranhas;
use spielleiter_engine::random::Random;

/// CPU time of this thread in seconds, as Linux accounts it.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|word| word.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}

fn measure<P: Position>(name: &str, starts: &[P], depth: u32, games: u32) {
    let begun = cpu_seconds();
    let leaves: u64 = starts.iter().filter_map(|start| perft(start, depth, &|| false)).sum();
    let seconds = cpu_seconds() - begun;
    println!("{name}: perft {depth}: {leaves} leaves, {:.1} M/s", leaves as f64 / seconds / 1e6);
    let begun = cpu_seconds();
    let mut random = Random::new(1);
    let mut turns = 0_u64;
    for i in 0..games {
        turns += u64::from(starts[i as usize % starts.len()].playout(&mut random).turn());
    }
    let seconds = cpu_seconds() - begun;
    println!(
        "{name}: {:.0} random games/s, {:.1} turns each",
        f64::from(games) / seconds,
        turns as f64 / f64::from(games)
    );
    let begun = cpu_seconds();
    let mut nodes = 0_u64;
    let mut moves = Vec::new();
    for i in 0..games / 20 {
        let mut position = starts[i as usize % starts.len()];
        loop {
            moves.clear();
            position.moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            nodes += 1;
            position = position.play(moves[random.below(moves.len() as u32) as usize]);
        }
    }
    let seconds = cpu_seconds() - begun;
    println!("{name}: {:.0} ns for a list of moves and a move played", seconds / nodes as f64 * 1e9);
}

/// Positions of a random game, some plies after the start.
fn later<P: Position>(start: P, plies: u32, random: &mut Random) -> P {
    let mut position = start;
    for _ in 0..plies {
        match position.random_move(random) {
            Some(m) => position = position.play(m),
            None => return start,
        }
    }
    position
}

fn main() {
    let mut random = Random::new(7);
    for (rules, name) in [(0, "piranhas-2019"), (3, "piranhas-2026-official")] {
        let starts: Vec<Piranhas> = (0..10).map(|_| Piranhas::start(rules, &mut random)).collect();
        measure(name, &starts, 4, 100_000);
        let middle: Vec<Piranhas> = starts.iter().map(|start| later(*start, 24, &mut random)).collect();
        measure(&format!("{name} middle"), &middle, 4, 100_000);
    }
    let starts: Vec<Ostseeschach> = (0..10).map(|_| Ostseeschach::start(0, &mut random)).collect();
    measure("ostseeschach-2022", &starts, 6, 100_000);
    for (rules, name) in [(0, "blokus-2021"), (3, "blokus-2027-official")] {
        let starts: Vec<Blokus> = (9..19).map(|shape| Blokus::start(rules, shape)).collect();
        let middle: Vec<Blokus> = starts.iter().map(|start| later(*start, 16, &mut random)).collect();
        measure(&format!("{name} middle"), &middle, 2, 20_000);
        measure(name, &starts, 3, 20_000);
    }
    let starts: Vec<Blokus> = (9..19).map(|shape| later(Blokus::start(1, shape), 20, &mut random)).collect();
    measure("blokus-2021 after five rounds", &starts[..2], 3, 20_000);
}
