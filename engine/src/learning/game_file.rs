//! A file of games that grows game by game, in their order, so that it can be continued wherever it was interrupted.
//!
//! The first line says which command plays these games. Every other line is a game: its moves. A move that was searched has
//! the score for the side to move behind it (`=` where the end was proven, or where the player knew nothing), and after a
//! long tree search the moves that were visited most: `14 30117 32520:31 29677:-4:29677=269:36083=171`. The start follows
//! from the command.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};

/// The games of a run.
pub struct GameFile {
    path: String,
    file: File,
    games: Vec<String>,
}

impl GameFile {
    /// Reads the games that are there, each of which has to be whole; makes the file if it is not there. What is left of a
    /// line that was not written to its end is removed.
    pub fn open(path: &str, origin: &str, is_whole: impl Fn(usize, &str) -> bool) -> Result<Self, String> {
        let failed = |error: std::io::Error| format!("{path}: {error}");
        let mut file =
            File::options().read(true).write(true).create(true).truncate(false).open(path).map_err(failed)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let text = String::from_utf8_lossy(&bytes);
        let first_line = format!("{origin}\n");
        let (known, length) = match text.strip_prefix(&first_line) {
            Some(games) => {
                let end = games.rfind('\n').map_or(0, |end| end + 1);
                (games[..end].lines().map(str::to_string).collect(), first_line.len() + end)
            }
            None if first_line.starts_with(&*text) => (Vec::new(), 0),
            None => return Err(format!("{path}: these are not games of `{origin}`: move this file away")),
        };
        let mut games = GameFile { path: path.into(), file, games: known };
        if let Some(number) = (0..games.games.len()).find(|&number| !is_whole(number, &games.games[number])) {
            return Err(games.refusal(number, "is not a whole game of this command"));
        }
        games.file.set_len(length as u64).and_then(|()| games.file.seek(SeekFrom::End(0))).map_err(failed)?;
        if length == 0 {
            games.file.write_all(first_line.as_bytes()).map_err(failed)?;
        }
        Ok(games)
    }

    /// The lines of all games.
    pub fn games(&self) -> &[String] {
        &self.games
    }

    /// Adds the next game.
    pub fn add(&mut self, game: String) -> Result<(), String> {
        let line = format!("{game}\n");
        self.file.write_all(line.as_bytes()).map_err(|error| format!("{}: {error}", self.path))?;
        self.games.push(game);
        Ok(())
    }

    /// What is wrong with the game with this number, and what to do.
    pub fn refusal(&self, number: usize, problem: &str) -> String {
        format!("{}: line {} {problem}: delete it and all lines after it", self.path, number + 2)
    }
}
