//! `tune` as a command: the same arguments give the same text, wrong ones are refused with what was expected.

use std::process::{Command, Output};

fn tune(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tune")).args(words).output().expect("tune can be run")
}

#[test]
fn the_same_arguments_give_the_same_network() {
    for key in ["piranhas-2026", "ostseeschach-2022"] {
        let texts: Vec<String> = (0..2)
            .map(|_| {
                let output = tune(&[key, "3", "40", "2", "1"]);
                assert!(output.status.success(), "{output:?}");
                String::from_utf8(output.stdout).expect("text")
            })
            .collect();
        assert_eq!(texts[0], texts[1]);
        assert!(texts[0].contains(&format!("made by `tune {key} 3 40 2 1`")));
        assert!(texts[0].contains("pub static NETWORK: Network = Network {"));
        assert!(!texts[0].contains("NaN") && !texts[0].contains("inf"));
    }
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
    let texts = [&whole, &broken].map(|file| {
        let output = tune(&["blokus", file.path()]);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("text").replace(file.path(), "FILE")
    });
    assert_eq!(texts[0], texts[1]);
    for expected in [
        "made by `tune blokus-games 24 60 1 FILE` and `tune blokus FILE`",
        "NETWORK: Network = Network {",
        "POLICY_WEIGHTS: Weights = [",
    ] {
        assert!(texts[0].contains(expected), "{expected}");
    }
    assert!(!texts[0].contains("NaN") && !texts[0].contains("inf"));
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
