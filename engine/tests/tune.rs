//! `tune` as a command: the same arguments give the same text, wrong ones are refused with what was expected.

use std::process::{Command, Output};

fn tune(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tune")).args(words).output().expect("tune can be run")
}

#[test]
fn the_same_arguments_give_the_same_network() {
    for (key, made) in [
        ("piranhas-2026", "pub static NETWORK: Network = Network {"),
        ("ostseeschach-2022", "pub static NETWORK: Network = Network {"),
        ("blokus", "pub static NETWORK: Network = Network {"),
        ("blokus-policy", "pub static POLICY: Policy = ["),
    ] {
        let texts: Vec<String> = (0..2)
            .map(|_| {
                let output = tune(&[key, "3", "40", "2", "1"]);
                assert!(output.status.success(), "{output:?}");
                String::from_utf8(output.stdout).expect("text")
            })
            .collect();
        assert_eq!(texts[0], texts[1]);
        assert!(texts[0].contains(&format!("made by `tune {key} 3 40 2 1`")));
        assert!(texts[0].contains(made));
        assert!(!texts[0].contains("NaN") && !texts[0].contains("inf"));
    }
}

#[test]
fn wrong_arguments_are_refused() {
    for (words, expected) in [
        (&["piranhas-2019", "3", "40"][..], "usage: tune"),
        (&["piranhas-2019", "many", "40", "2", "1"], "usage: tune"),
        (&["piranhas-2019", "0", "40", "2", "1"], "usage: tune"),
        (&["chess", "3", "40", "2", "1"], "there is no chess"),
    ] {
        let output = tune(words);
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(expected));
        assert!(output.stdout.is_empty());
    }
}
