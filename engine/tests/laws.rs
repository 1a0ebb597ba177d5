//! Laws that the fast ways must obey: bulk counts, incremental hashes, drawn moves and notation agree with the slow ones.

use spielleiter_engine::blokus::Blokus;
use spielleiter_engine::game::{Move, Position};
use spielleiter_engine::ostseeschach::Ostseeschach;
use spielleiter_engine::piranhas::Piranhas;
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
fn piranhas_obeys_the_laws() {
    let mut random = Random::new(1);
    for game in 0..if cfg!(debug_assertions) { 20 } else { 200 } {
        check_random_game(Piranhas::start(game % 4, &mut random), &mut random);
    }
    for plies in [0, 10, 30, 50] {
        check_uniform(after(Piranhas::start(3, &mut random), plies, &mut random), &mut random);
    }
}

#[test]
fn ostseeschach_obeys_the_laws() {
    let mut random = Random::new(2);
    for game in 0..if cfg!(debug_assertions) { 20 } else { 200 } {
        check_random_game(Ostseeschach::start(game % 2, &mut random), &mut random);
    }
    for plies in [0, 10, 20, 30] {
        check_uniform(after(Ostseeschach::start(0, &mut random), plies, &mut random), &mut random);
    }
}

#[test]
fn blokus_obeys_the_laws() {
    let mut random = Random::new(3);
    for game in 0..if cfg!(debug_assertions) { 4 } else { 40 } {
        let shape = 9 + random.below(12) as u8;
        check_random_game(Blokus::start(game % 4, shape), &mut random);
    }
    for plies in [0, 3, 8, 20, 40, 50, 60] {
        check_uniform(after(Blokus::start(1, 9), plies, &mut random), &mut random);
    }
}

#[test]
fn blokus_ends_when_the_first_colour_has_laid_all_its_pieces_in_an_earlier_round() {
    let board = "YY2BBB3BBB4RRR/YYBB2B2B8RR/Y1BB2B1BBB9/7B3BB7/7BBB2BB6/BB5B2BB8/2BBBBB4B8/1B9B8/1B2B2B3B8/1BB1BB1BB11/\
                 2B2BB13/3BB3B11/4B1BBBB10/4BB4BB8/3B2B3B9/1BBB2B3BB1B6/2B3B2B2BBB5/1B1B2B6B6/BB1BBB11GG1/BB15GGG";
    let position = Blokus::parse(&format!("blokus-2021 {board} 85 PENTO_P YRG B")).unwrap();
    assert_eq!(position.outcome().map(|outcome| outcome.reason), Some("FINISHED"));
    let goes_on = Blokus::parse(&format!("blokus-2021-official {board} 85 PENTO_P YRG B")).unwrap();
    assert_eq!(goes_on.outcome(), None);
}
