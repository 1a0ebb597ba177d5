//! `tune` as a command: the same arguments give the same file, wrong ones are refused with what was expected.

use spielleiter_engine::blokus::eval::{FEATURES, HIDDEN};
use spielleiter_engine::blokus::policy::WEIGHTS;
use std::process::{Command, Output};

fn tune(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tune")).args(words).output().expect("tune can be run")
}

#[test]
fn the_same_arguments_give_the_same_network() {
    for key in ["piranhas-2026", "ostseeschach-2022", "hase-und-igel-2025"] {
        let files: Vec<Vec<u8>> = (0..2)
            .map(|_| {
                let output = tune(&[key, "3", "40", "2", "1"]);
                assert!(output.status.success(), "{output:?}");
                output.stdout
            })
            .collect();
        assert_eq!(files[0], files[1]);
        let (line, numbers) = split(&files[0]);
        assert!(line.contains(&format!("made by `tune {key} 3 40 2 1`")), "{line}");
        assert_eq!(numbers.len() % 4, 0);
        assert!(floats(numbers).all(f32::is_finite) && floats(numbers).any(|weight| weight != 0.0));
    }
}

/// The first line of a file of weights, and the bytes behind it.
fn split(file: &[u8]) -> (&str, &[u8]) {
    let end = file.iter().position(|&byte| byte == b'\n').expect("a line");
    (std::str::from_utf8(&file[..end]).expect("text"), &file[end + 1..])
}

fn floats(numbers: &[u8]) -> impl Iterator<Item = f32> {
    numbers.chunks_exact(4).map(|four| f32::from_le_bytes(four.try_into().expect("four bytes")))
}

/// A file that is removed in the end.
struct TemporaryFile(std::path::PathBuf);

impl TemporaryFile {
    fn new(name: &str) -> Self {
        let file = TemporaryFile(std::env::temp_dir().join(format!("tune-{}-{name}", std::process::id())));
        std::fs::write(&file.0, "").expect("a temporary file can be written");
        file
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("a path in Unicode")
    }

    fn text(&self) -> String {
        std::fs::read_to_string(&self.0).expect("the file can be read")
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn games_of_blokus_go_on_where_they_were_and_teach_the_same_twice() {
    let (whole, broken) = (TemporaryFile::new("whole"), TemporaryFile::new("broken"));
    let play = |games: &str, file: &TemporaryFile| {
        let output = tune(&["blokus-games", games, "60", "1", file.path()]);
        assert!(output.status.success(), "{output:?}");
    };
    let sorted = |file: &TemporaryFile| {
        let mut lines: Vec<String> = file.text().lines().map(str::to_string).collect();
        lines.sort();
        lines
    };
    play("24", &whole);
    play("9", &broken);
    play("24", &broken);
    assert_eq!(sorted(&whole).len(), 25);
    assert_eq!(sorted(&whole), sorted(&broken));
    let files = [&whole, &broken].map(|file| {
        let output = tune(&["blokus", file.path()]);
        assert!(output.status.success(), "{output:?}");
        (output.stdout, file.path())
    });
    let [(line, numbers), (_, other)] = [&files[0], &files[1]].map(|(file, _)| split(file));
    assert_eq!(numbers, other);
    let path = files[0].1;
    let expected = format!("made by `tune blokus-games 24 60 1 {path}` and `tune blokus {path}`");
    assert!(line.contains(&expected), "{line}");
    let network = 4 * (FEATURES * (HIDDEN + 1) + 2 * HIDDEN + 1);
    assert_eq!(numbers.len(), network + 2 * WEIGHTS);
    assert!(floats(&numbers[..network]).all(f32::is_finite));
}

#[test]
fn games_of_blokus_that_are_not_whole_are_refused() {
    let file = TemporaryFile::new("refused");
    assert!(tune(&["blokus-games", "1", "60", "1", file.path()]).status.success());
    let game = file.text();
    let half = game[..game.len() / 2].to_string();
    let other = tune(&["blokus-games", "2", "60", "2", file.path()]);
    assert_eq!(other.status.code(), Some(1), "games of another seed are not mixed with these");
    assert!(String::from_utf8_lossy(&other.stderr).contains("has games of `blokus-games 60 1`"));
    let written = ["0 0 9 1 2 3", "0 9 9", "nonsense", "0 0 9 70000", "0 0 9 100:x", ""]
        .map(|line| format!("blokus-games 60 1\n{line}\n"));
    for text in written.iter().chain([&half, &"0 0 9\n".to_string()]) {
        std::fs::write(&file.0, text).expect("written");
        for words in [&["blokus", file.path()][..], &["blokus-games", "2", "60", "1", file.path()]] {
            let output = tune(words);
            assert_eq!(output.status.code(), Some(1), "{text}");
            let error = String::from_utf8_lossy(&output.stderr);
            assert!(error.contains("not a whole game") || error.contains("not a file that"), "{output:?}");
            assert_eq!(file.text(), *text, "nothing is lost");
        }
    }
    assert_eq!(tune(&["blokus", "/nowhere/games"]).status.code(), Some(1));
}

#[test]
fn wrong_arguments_are_refused() {
    for (words, expected) in [
        (&["piranhas-2019", "3", "40"][..], "usage: tune"),
        (&["piranhas-2019", "many", "40", "2", "1"], "usage: tune"),
        (&["piranhas-2019", "0", "40", "2", "1"], "usage: tune"),
        (&["chess", "3", "40", "2", "1"], "there is no chess"),
        (&["blokus-games", "3", "40", "1"], "usage: tune blokus-games"),
        (&["blokus"], "usage: tune blokus FILE"),
    ] {
        let output = tune(words);
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(expected));
        assert!(output.stdout.is_empty());
    }
}
