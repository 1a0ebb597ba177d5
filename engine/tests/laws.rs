//! Laws that the fast ways must obey: bulk counts, incremental hashes, drawn moves and notation agree with the slow ones.

use spielleiter_engine::encoding::Encoded;
use spielleiter_engine::for_each_game;
use spielleiter_engine::game::{Move, Position};
use spielleiter_engine::random::Random;
use std::collections::HashMap;

fn moves_of<P: Position>(position: &P) -> Vec<Move> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves
}

fn check_random_game<P: Position>(start: P, random: &mut Random) {
    let mut position = start;
    loop {
        let mut moves = moves_of(&position);
        assert_eq!(moves.len() as u64, position.count_moves());
        let one_by_one: u64 = moves.iter().map(|&m| moves_of(&position.play(m)).len() as u64).sum();
        assert_eq!(position.count_moves_after_each(), one_by_one, "{}", position.format());
        let again = P::parse(&position.format()).unwrap();
        assert_eq!(again.format(), position.format());
        assert_eq!(again.hash(), position.hash(), "{}", position.format());
        assert_eq!(again.outcome(), position.outcome());
        assert_eq!(moves_of(&again), moves);
        assert_eq!(position.outcome().is_some(), moves.is_empty());
        assert_eq!(position.outcome().map(|outcome| outcome.verdict), position.full_verdict());
        if moves.is_empty() {
            assert_eq!(position.random_move(random), None);
            return;
        }
        let drawn = position.random_move(random).unwrap();
        assert!(moves.contains(&drawn));
        if random.below(20) == 0 {
            position.uncounted_moves(&mut moves);
        }
        let next = position.play(moves[random.below(moves.len() as u32) as usize]);
        assert!(next.turn() > position.turn());
        position = next;
    }
}

fn check_uniform<P: Position>(position: P, random: &mut Random) {
    let moves = moves_of(&position);
    let draws = 200 * moves.len();
    let mut counts: HashMap<Move, i32> = HashMap::new();
    for _ in 0..draws {
        *counts.entry(position.random_move(random).unwrap()).or_default() += 1;
    }
    // Chi-squared with n - 1 degrees of freedom: mean n - 1, deviation sqrt(2 (n - 1)).
    let n = moves.len() as f64;
    let chi: f64 = moves.iter().map(|m| f64::from(counts.get(m).copied().unwrap_or(0) - 200).powi(2) / 200.0).sum();
    assert!((chi - (n - 1.0)).abs() < 5.0 * (2.0 * n).sqrt() + 3.0, "chi squared {chi} for {n} moves");
}

fn after<P: Position>(start: P, plies: u32, random: &mut Random) -> P {
    (0..plies).fold(start, |position, _| position.random_move(random).map_or(position, |m| position.play(m)))
}

#[test]
fn every_game_obeys_the_laws() {
    for_each_game!(Game, family => {
        let mut random = Random::new(1);
        for game in 0..if cfg!(debug_assertions) { 4 } else { 100 } {
            let rules = game % Game::RULE_SETS.len() as u8;
            check_random_game(Game::draw_start(rules, &mut random), &mut random);
        }
        println!("{family}");
        for plies in [0, 3, 10, 20, 30, 40, 50] {
            let position = after(Game::draw_start(1, &mut random), plies, &mut random);
            if position.count_moves() > 0 {
                check_uniform(position, &mut random);
            }
        }
    });
}
