"""The German of every help text of the commands, by its English; a text of several paragraphs has an entry for each."""

from __future__ import annotations

HELP = {
    # The command itself
    "The Software-Challenge: games, game master, players, matches, contest.":
        "Die Software-Challenge: Spiele, Spielleiter, Spieler, Matches, Wettkampf.",
    "Every option can be set in the environment: --games of match is SPIELLEITER_MATCH_GAMES.":
        "Jede Option lässt sich als Umgebungsvariable setzen: --games von match ist SPIELLEITER_MATCH_GAMES.",
    "Language of the output; default: the system's.":
        "Sprache der Ausgaben; sonst die des Systems.",
    "Show the version.":
        "Zeigt die Version.",
    "Install completion for the current shell.":
        "Richtet die Vervollständigung für diese Shell ein.",
    "Show completion for the current shell, to copy it or customize the installation.":
        "Zeigt die Vervollständigung für diese Shell, zum Kopieren oder Anpassen.",
    "Show this message and exit.":
        "Zeigt diese Hilfe.",
    # play
    "Play in the browser; or, if a game is named or there is no screen, watch two players in the terminal.":
        "Im Browser spielen; oder, wenn ein Spiel genannt ist oder es keinen Bildschirm gibt, zwei Spielern im "
        "Terminal zusehen.",
    "The game to watch in the terminal.":
        "Das Spiel, dem du im Terminal zusiehst.",
    "A built-in player: random, greedy, student, solid, explorer, novice, club, expert, level1 to level8.":
        "Ein eingebauter Spieler: random, greedy, student, solid, explorer, novice, club, expert, level1 bis level8.",
    "Seed of the start position; default: a random one.":
        "Startwert der Anfangsstellung; sonst ein zufälliger.",
    "Time for a move in seconds.":
        "Zeit für einen Zug in Sekunden.",
    "Minimum time to show each position, in seconds.":
        "So viele Sekunden ist jede Stellung mindestens zu sehen.",
    "Show only the end.":
        "Nur das Ende zeigen.",
    # web
    "Play, watch and understand games in the browser: game master and pages in one.":
        "Im Browser spielen, zusehen und Spiele verstehen: Spielleiter und Seiten in einem.",
    "Address to listen on; 0.0.0.0 for all networks, with keys.":
        "Adresse, unter der die Seiten zu erreichen sind; 0.0.0.0 für alle Netze, mit Schlüsseln.",
    "Port of the pages; 0 for any free one.":
        "Port der Seiten; 0 für irgendeinen freien.",
    "Port of the game master.":
        "Port des Spielleiters.",
    "Record every game in this folder.":
        "Jedes Spiel in diesem Ordner aufzeichnen.",
    "Open the pages in the browser.":
        "Die Seiten im Browser öffnen.",
    "Referee as the seasons' own servers did.":
        "So leiten, wie es die Server der Saisons taten.",
    "Serve the contest of this season file.":
        "Den Wettkampf dieser Saisondatei zeigen.",
    "Store of the season, as in 'contest'.":
        "Speicher der Saison, wie bei „contest“.",
    "Show the games of 'match --watch' in this folder; may be repeated.":
        "Die Spiele von „match --watch“ in diesem Ordner zeigen; mehrfach möglich.",
    "Sandbox level; auto: the best that works here.":
        "Stufe der Sandbox; auto: die beste, die hier geht.",
    "Public URL behind a reverse proxy.":
        "Öffentliche URL hinter einem Reverse Proxy.",
    "Address or network of a reverse proxy that says who its visitors are; can be repeated.":
        "Adresse oder Netz eines Reverse Proxys, der sagt, wer seine Besucher sind; mehrfach möglich.",
    # serve
    "Run the game master: player programs connect to it and play.":
        "Den Spielleiter starten: Spielerprogramme verbinden sich mit ihm und spielen.",
    "Options can also be set in a TOML file (--config), in the environment (SPIELLEITER_SERVE_PORT), or in a "
    "server.properties of the reference server in this folder.":
        "Die Optionen können auch in einer TOML-Datei (--config), in der Umgebung (SPIELLEITER_SERVE_PORT) oder"
        " in einer server.properties des Referenzservers in diesem Ordner stehen.",
    "A TOML file with settings named like these options.":
        "Eine TOML-Datei mit Einstellungen, die wie diese Optionen heißen.",
    "Default game.":
        "Das Spiel, wenn keines genannt wird.",
    "Referee as the season's own server did.":
        "So leiten, wie es der Server der Saison tat.",
    "Address to listen on; 0.0.0.0 for all networks.":
        "Adresse, unter der er zu erreichen ist; 0.0.0.0 für alle Netze.",
    "Port to listen on; 0 for any free one.":
        "Port, auf dem er zu erreichen ist; 0 für irgendeinen freien.",
    "Whether players may think in their opponent's time.":
        "Ob Spieler in der Zeit des Gegners weiterdenken dürfen.",
    "Password of administrators; default: a random one.":
        "Passwort der Administratoren; sonst ein zufälliges.",
    "A late move loses the game.":
        "Ein Zug nach Ablauf der Zeit verliert das Spiel.",
    "Time limit of a move in seconds.":
        "Zeitlimit eines Zuges in Sekunden.",
    "A player that is silent for so many seconds forfeits.":
        "Wer so viele Sekunden nichts sendet, scheidet aus.",
    "Seconds between a state and the request for a move; default: 0.01 in 2019, 2021 and 2022, else 0.":
        "Sekunden zwischen einer Stellung und der Zugaufforderung; sonst 0,01 für 2019, 2021 und 2022 und 0 für"
        " die anderen.",
    "Start games paused.":
        "Spiele beginnen angehalten.",
    "Start games from this record or replay.":
        "Spiele beginnen mit dieser Aufzeichnung oder diesem Replay.",
    "With --load: the turn to start from.":
        "Mit --load: der Zug, mit dem begonnen wird.",
    "Clients at the same time.":
        "So viele Verbindungen gleichzeitig.",
    "Clients at the same time from one address that is not this machine.":
        "So viele Verbindungen gleichzeitig von einer Adresse, die nicht dieser Rechner ist.",
    "Port of the metrics for Prometheus.":
        "Port der Metriken für Prometheus.",
    "Format of the log.":
        "Format des Protokolls.",
    "Log warnings only.":
        "Nur Warnungen ausgeben.",
    "The same, of one room alone (the first letters of its id) or of one player (the name).":
        "Dasselbe nur von einem Raum (Anfang seiner Nummer) oder einem Spieler (sein Name).",
    "Show every message as it goes over the wire.":
        "Jede Nachricht zeigen, wie sie übertragen wird.",
    # new, check, pack
    "Make a folder with a player that is ready to run: it looks one move ahead.":
        "Einen Ordner mit einem fertigen Spieler anlegen: Er schaut einen Zug voraus.",
    "The folder to make.":
        "Der neue Ordner.",
    "The game to play.":
        "Das Spiel, das er spielt.",
    "A player without our kit; default: Python with the kit, which is easier.":
        "Ein Spieler ohne unseren Baukasten; Vorgabe: Python mit dem Baukasten, das ist leichter.",
    "Check a player program before the upload: play some games, and list what works and what does not.":
        "Ein Spielerprogramm vor dem Hochladen prüfen: einige Spiele spielen und auflisten, was funktioniert und was "
        "nicht.",
    "Exit code 0: all is well. 1: a check failed. 2: wrong input. 3: the program never joined a game.":
        "Exit-Code 0: alles in Ordnung. 1: Eine Prüfung ist fehlgeschlagen. 2: falsche Eingabe. 3: Das Programm "
        "ist keinem Spiel beigetreten.",
    "A Python file, a folder or ZIP with start.sh, or a command in quotes.":
        "Eine Python-Datei, ein Ordner oder ZIP mit start.sh, oder ein Befehl in Anführungszeichen.",
    "The game to play; default: the one it asks for.":
        "Das Spiel; sonst das, was er spielen will.",
    "How much slower the contest's machine is; default: measured.":
        "Um wie viel langsamer der Rechner des Wettkampfs ist; sonst gemessen.",
    "JSON output.":
        "Ausgabe als JSON.",
    "Pack a player for the contest: a ZIP that needs only Python and no network; then check it.":
        "Einen Spieler für den Wettkampf einpacken: ein ZIP, das nur Python und kein Netz braucht; danach wird es "
        "geprüft.",
    "A Python file, or a folder with player.py or start.sh.":
        "Eine Python-Datei, oder ein Ordner mit player.py oder start.sh.",
    "The ZIP to write.":
        "Das ZIP, das geschrieben wird.",
    "The game to pack; default: what the player names.":
        "Das Spiel, das eingepackt wird; sonst das, was der Spieler nennt.",
    "Another file or folder to pack; can be repeated.":
        "Noch eine Datei oder ein Ordner zum Einpacken; mehrfach möglich.",
    "Check the ZIP afterwards.":
        "Das ZIP danach prüfen.",
    # match
    "Play a match: every opening twice with sides swapped, games in parallel, resumable, with error bars.":
        "Ein Match spielen: jede Anfangsstellung zweimal mit getauschten Seiten, mehrere Spiele gleichzeitig, "
        "fortsetzbar, mit Fehlerbalken.",
    "Exit code 0: the match was played. 2: wrong input. 3: a player never started, or the match was stopped because "
    "one does not. 4: a player crashed or left in each of its games. 130: interrupted.":
        "Exit-Code 0: Das Match ist gespielt. 2: falsche Eingabe. 3: Ein Spieler ist nie gestartet, oder das Match "
        "wurde beendet, weil einer nicht startet. 4: Ein Spieler ist in jedem seiner Spiele abgestürzt oder hat es "
        "verlassen. 130: unterbrochen.",
    "Built-in names (expert, random:seed=3), Python files, folders or ZIPs with start.sh, commands in quotes, "
    "or 'manual:NAME' for somebody who joins from another machine.":
        "Eingebaute Spieler (expert, random:seed=3), Python-Dateien, Ordner oder ZIPs mit start.sh, Befehle "
        "in Anführungszeichen, oder „manual:NAME“ für jemanden, der von einem anderen Rechner beitritt.",
    "The game; default: that of the current season.":
        "Das Spiel; sonst das der laufenden Saison.",
    "Games of each encounter, an even number; default: 100.":
        "Spiele jeder Begegnung, eine gerade Zahl; sonst 100.",
    "Play until it is clear whether the first is stronger: 0,30 tests 0 against 30 Elo.":
        "Spielen, bis klar ist, ob der erste stärker ist: 0,30 prüft 0 gegen 30 Elo.",
    "How the players meet; default: duel for two.":
        "Wer gegen wen spielt; bei zweien sonst duel.",
    "Rounds of a Swiss match.":
        "Runden nach Schweizer System.",
    "Games in parallel; default: half the cores.":
        "So viele Spiele gleichzeitig; sonst halb so viele wie Kerne.",
    "Time for a move in seconds; default: the game's.":
        "Zeit für einen Zug in Sekunden; sonst die des Spiels.",
    "Start positions: a seed, or a file with one in each line.":
        "Anfangsstellungen: ein Startwert, oder eine Datei mit einer in jeder Zeile.",
    "Number of random opening moves.":
        "Anzahl zufälliger Züge am Anfang.",
    "Name of a player, in their order; can be repeated.":
        "Name eines Spielers, in ihrer Reihenfolge; mehrfach möglich.",
    "Output folder; default: a new one.":
        "Ordner für das Ergebnis; sonst ein neuer.",
    "Resume the match in this folder.":
        "Das Match in diesem Ordner fortsetzen.",
    "Memory limit of a player, in megabytes.":
        "Speicher, den ein Spieler haben darf, in Megabyte.",
    "Play on a Dask cluster: tcp://HOST:PORT, or local:4 for four workers here.":
        "Auf einem Dask-Cluster spielen: tcp://HOST:PORT, oder local:4 für vier Worker auf diesem Rechner.",
    "Address to which manual players come; 0.0.0.0 for those of all networks.":
        "Adresse für alle, die selbst beitreten; 0.0.0.0 für alle Netze.",
    "Its port; 0 for any free one.":
        "Port dazu; 0 für irgendeinen freien.",
    "Seconds to wait for the first game of a manual player; then the game is lost.":
        "So viele Sekunden wird auf jemanden gewartet, der selbst beitritt; dann ist das Spiel verloren.",
    "Built-in players only, without processes: fast, for tests.":
        "Nur eingebaute Spieler, ohne eigene Prozesse: schnell, für Tests.",
    "Let 'spielleiter web --follow FOLDER' show the running games.":
        "Die laufenden Spiele für „spielleiter web --follow ORDNER“ zeigen.",
    "Replay games lost on time while other programs used the machine.":
        "Spiele wiederholen, die durch die Zeit verloren gingen, während andere Programme den Rechner belegten.",
    "Write report.html, results.csv and games.txt at the end.":
        "Am Ende report.html, results.csv und games.txt schreiben.",
    "TOML file with these options and a table 'player' for each player; the command line takes precedence.":
        "TOML-Datei mit diesen Optionen und einer Tabelle „player“ für jeden Spieler; die Befehlszeile hat Vorrang.",
    "Order of the start positions of a file; random: shuffled by --seed.":
        "Reihenfolge der Anfangsstellungen einer Datei; random: gemischt durch --seed.",
    "Seed of --order random and of --random-moves.":
        "Startwert von --order random und --random-moves.",
    "Option of a player by its place, as in 1:depth=3; can be repeated.":
        "Option eines Spielers nach seinem Platz, wie in 1:depth=3; mehrfach möglich.",
    "Go on though a player fails to start again and again: it loses these games.":
        "Weiterspielen, auch wenn ein Spieler immer wieder nicht startet: er verliert diese Spiele.",
    "End games early that seem decided: win=0.98,moves=6 or lead=20,moves=8; off by default.":
        "Spiele vorzeitig werten, die entschieden scheinen: win=0.98,moves=6 oder lead=20,moves=8; sonst nie.",
    "Time of each side for a whole game, and what each move adds: 60+0.5; instead of --seconds.":
        "Bedenkzeit jeder Seite für ein ganzes Spiel, und was jeder Zug hinzufügt: 60+0.5; statt --seconds.",
    # openings
    "The game.":
        "Das Spiel.",
    "Make start positions for matches: random moves, balanced by the engine, without symmetric duplicates.":
        "Anfangsstellungen für Matches erzeugen: zufällige Züge, von der Engine als ausgeglichen beurteilt, ohne "
        "Dopplungen durch Symmetrie.",
    "A new file, for 'match --openings'.":
        "Eine neue Datei, für „match --openings“.",
    "Number of positions.":
        "Anzahl der Stellungen.",
    "Random moves from the start.":
        "Zufällige Züge vom Anfang an.",
    "How far the winning chance may be from one half; 0.5: the engine is not asked.":
        "Wie weit die Gewinnchance von der Hälfte abweichen darf; 0.5: die Engine wird nicht gefragt.",
    "Nodes of the engine for a position.":
        "Knoten der Engine je Stellung.",
    "Seed of the random moves.":
        "Startwert der zufälligen Züge.",
    # rate
    "Rate all players of several matches together: Elo with intervals, and who beats whom.":
        "Alle Spieler mehrerer Matches zusammen bewerten: Elo mit Intervallen, und wer wen schlägt.",
    "Folders of matches, or texts of games (games.txt).":
        "Ordner von Matches, oder Texte mit Spielen (games.txt).",
    "Fix the Elo of a player, as in expert=2000; can be repeated.":
        "Die Elo-Zahl eines Spielers festlegen, wie in expert=2000; mehrfach möglich.",
    "Rate all versions of a player as one.":
        "Alle Versionen eines Spielers als einen bewerten.",
    # tune
    "Tune the numbers of a player by SPSA, then test the result against the start by SPRT.":
        "Die Zahlen eines Spielers mit SPSA einstellen und das Ergebnis mit SPRT gegen den Ausgangswert testen.",
    "Exit code 0: the test says that the tuned player is stronger, or there was none. 1: it does not. 2: wrong input. "
    "130: interrupted; --resume goes on.":
        "Exit-Code 0: Laut Test ist der eingestellte Spieler stärker, oder es gab keinen Test. 1: Er ist es laut Test "
        "nicht. 2: falsche Eingabe. 130: unterbrochen; --resume setzt fort.",
    "The player, as in 'match'.":
        "Der Spieler, wie bei „match“.",
    "TOML file with a section for each parameter.":
        "TOML-Datei mit einem Abschnitt für jeden Parameter.",
    "Pairs of games.":
        "Paare von Spielen.",
    "Seed of the run.":
        "Startwert des Laufs.",
    "The test of the result against the start: 0,10 tests 0 against 10 Elo; '' for none.":
        "Der Test des Ergebnisses gegen den Ausgangswert: 0,10 testet 0 gegen 10 Elo; '' für keinen.",
    "Games of the test at most, an even number.":
        "Höchstens so viele Spiele hat der Test, eine gerade Zahl.",
    "Resume the run in this folder.":
        "Den Lauf in diesem Ordner fortsetzen.",
    "Nodes for a move, for players with the option nodes; for each of them.":
        "Knoten für einen Zug, für Spieler mit der Option nodes; für jeden von ihnen.",
    # bisect
    "Play two commits of a player against each other, and find the one that made it weaker.":
        "Zwei Commits eines Spielers gegeneinander spielen lassen, und den finden, der ihn schwächer gemacht hat.",
    "Exit code 0: the new commit is not weaker. 1: it is, or that stayed open. 2: wrong input.":
        "Exit-Code 0: Der neue Commit ist nicht schwächer. 1: Er ist es, oder es blieb offen. 2: falsche Eingabe.",
    "Folder of a git repository with a player in it.":
        "Ordner eines Git-Repositorys mit einem Spieler darin.",
    "The commit to compare with: a hash, a tag, HEAD~5.":
        "Der Commit, mit dem verglichen wird: ein Hash, ein Tag, HEAD~5.",
    "The commit that is tested.":
        "Der Commit, der getestet wird.",
    "Where the player is in the repository; default: at its top.":
        "Wo der Spieler im Repository liegt; sonst ganz oben.",
    "If it is weaker, find the first commit that is.":
        "Wenn er schwächer ist, den ersten Commit finden, der es ist.",
    "The test: -30,0 asks whether the new commit is 30 Elo weaker or not weaker.":
        "Der Test: -30,0 fragt, ob der neue Commit 30 Elo schwächer ist oder nicht schwächer.",
    "Games of a test at most, an even number.":
        "Höchstens so viele Spiele hat ein Test, eine gerade Zahl.",
    "Output folder; if it is there, the run goes on.":
        "Ordner für die Ergebnisse; wenn es ihn gibt, geht der Lauf weiter.",
    # contest
    "A whole season: teams, matchdays, standings, final; safe against any interruption.":
        "Eine ganze Saison: Teams, Spieltage, Tabellen, Finale; sicher gegen jede Unterbrechung.",
    "Write a commented season file with built-in players: a small season that can be played at once.":
        "Eine kommentierte Saisondatei mit eingebauten Spielern schreiben: eine kleine Saison, die sofort "
        "spielbar ist.",
    "Season file.":
        "Saisondatei.",
    "Play everything that is due; resumable. Several runs may share one store.":
        "Alles spielen, was ansteht; fortsetzbar. Mehrere Läufe können sich einen Speicher teilen.",
    "A season whose file names programs that cannot play does not begin; a team that is left out with --without"
    " has no program, and its games are decided as the season file says.":
        "Eine Saison, deren Datei Programme nennt, die nicht spielen können, beginnt nicht. Ein Team, das mit "
        "--without ausgelassen wird, hat kein Programm; seine Spiele werden so entschieden, wie es in der "
        "Saisondatei steht.",
    "Stop after a phase (championship) or one of its days (championship:3).":
        "Nach einer Phase (championship) oder einem ihrer Spieltage (championship:3) anhalten.",
    "Do not wait for the dates of matchdays.":
        "Nicht auf die Termine der Spieltage warten.",
    "Number of games at the same time; default: half the cores.":
        "So viele Spiele gleichzeitig; sonst halb so viele wie Kerne.",
    "Address of this machine at which the pages follow its games.":
        "Adresse dieses Rechners, unter der die Seiten seine Spiele verfolgen.",
    "Team whose program does not play: begin without it. Can be repeated.":
        "Team, dessen Programm nicht spielt: ohne es beginnen. Mehrfach möglich.",
    "Store of the season: a file, or postgresql://...; default: beside the season file.":
        "Speicher der Saison: eine Datei oder postgresql://...; sonst neben der Saisondatei.",
    "Say how far the season is and what it waits for.":
        "Sagen, wie weit die Saison ist und worauf sie wartet.",
    "List all encounters that are known, day by day, with their results.":
        "Alle bekannten Begegnungen auflisten, Tag für Tag, mit ihren Ergebnissen.",
    "Only this phase.":
        "Nur diese Phase.",
    "Only the encounters of this team.":
        "Nur die Begegnungen dieses Teams.",
    "Show the standings: rank, games, victory points, average; and how sure the order is.":
        "Die Tabelle zeigen: Platz, Spiele, Siegpunkte, Durchschnitt; und wie sicher die Reihenfolge ist.",
    "Phase; default: the last one that has begun.":
        "Phase; sonst die letzte, die begonnen hat.",
    "Only this group.":
        "Nur diese Gruppe.",
    "Show the rating, with its 95 % margin.":
        "Die Elo-Zahl zeigen, mit ihrem Fehler (95 %).",
    "CSV output.":
        "Ausgabe als CSV.",
    "Show the knock-out: quarter-finals, semi-finals, third place, final.":
        "Die K.-o.-Runde zeigen: Viertelfinale, Halbfinale, Spiel um Platz 3, Finale.",
    "Show an encounter: its games with results, reasons and secondary scores.":
        "Eine Begegnung zeigen: ihre Spiele mit Ergebnissen, Gründen und Nebenwertungen.",
    "Key of the encounter, as in the schedule: M3-A2.":
        "Kürzel der Begegnung, wie im Spielplan: M3-A2.",
    "Submit a team's new program: two games against random in the sandbox. Exit code 1 if it fails.":
        "Das neue Programm eines Teams einreichen: zwei Spiele gegen random in der Sandbox. Exit-Code 1, wenn "
        "es scheitert.",
    "Name of the team.":
        "Name des Teams.",
    "ZIP with start.sh, Python file, folder, or built-in player.":
        "ZIP mit start.sh, Python-Datei, Ordner oder eingebauter Spieler.",
    "Activate it if it passes its check.":
        "Es aktivieren, wenn es die Prüfung besteht.",
    "Let a team play with one of its programs from the next matchday on.":
        "Ein Team ab dem nächsten Spieltag mit einem seiner Programme spielen lassen.",
    "Program number; default: the newest that passed.":
        "Nummer des Programms; sonst das neueste, das bestanden hat.",
    "List the programs of a team, with what their checks have found.":
        "Die Programme eines Teams auflisten, mit dem, was die Prüfungen ergaben.",
    "Play a friendly encounter with the active programs; it never counts.":
        "Eine Freundschaftsbegegnung mit den aktiven Programmen spielen; sie zählt nie.",
    "Name of the other team.":
        "Name des anderen Teams.",
    "Annul a game or an encounter; it will be played again. Asks first; 'undo' takes it back.":
        "Ein Spiel oder eine Begegnung annullieren; es wird neu gespielt. Fragt vorher; „undo“ nimmt es zurück.",
    "Game (M3-A2-4) or encounter (M3-A2).":
        "Spiel (M3-A2-4) oder Begegnung (M3-A2).",
    "Reason; everybody can read it.":
        "Begründung; alle können sie lesen.",
    "Do not ask; for scripts.":
        "Nicht fragen; für Skripte.",
    "Disqualify a team in a game or an encounter, or in all that it has not played yet. Asks; 'undo' takes it "
    "back.":
        "Ein Team in einem Spiel oder einer Begegnung disqualifizieren, oder in allem, was es noch nicht "
        "gespielt hat. Fragt vorher; „undo“ nimmt es zurück.",
    "Only in this game (M3-A2-4) or encounter (M3-A2).":
        "Nur in diesem Spiel (M3-A2-4) oder dieser Begegnung (M3-A2).",
    "Undo a ruling, or bring back what was removed, while nothing was built on it.":
        "Eine Entscheidung oder Löschung zurücknehmen, solange nichts darauf aufbaut.",
    "Number in 'audit'; default: the last one.":
        "Nummer in „audit“; sonst die letzte.",
    "Draw the lot that decides a place, where the season file says that a person does it.":
        "Das Los ziehen, das über einen Platz entscheidet, wenn laut Saisondatei ein Mensch es tut.",
    "Phase.":
        "Phase.",
    "Group; the Champions League has none.":
        "Gruppe; die Champions League hat keine.",
    "Seed, such as tonight's lottery numbers.":
        "Startwert, etwa die Lottozahlen von heute Abend.",
    "Seed":
        "Startwert",
    "Stop every 'run' after the games that are being played.":
        "Jeden „run“ anhalten, sobald die laufenden Spiele zu Ende sind.",
    "Allow 'run' again after a pause.":
        "„run“ nach einer Pause wieder erlauben.",
    "List what people decided: who, when, what and why.":
        "Auflisten, was Menschen entschieden haben: wer, wann, was und warum.",
    "Replay every game from its record and compute everything again.":
        "Jedes Spiel aus seiner Aufzeichnung nachspielen und alles neu berechnen.",
    "Exit code 1 at the first difference, 3 if there is nothing to prove yet.":
        "Exit-Code 1 beim ersten Unterschied, 3, wenn es noch nichts zu beweisen gibt.",
    "Write pages that open without a server, all records, and the standings as CSV and JSON; nothing private.":
        "Seiten schreiben, die sich ohne Server öffnen lassen, alle Aufzeichnungen, und die Tabellen als CSV "
        "und JSON; nichts Privates.",
    "New folder, or new ZIP if the name ends in .zip.":
        "Neuer Ordner, oder neues ZIP, wenn der Name auf .zip endet.",
    "Copy the whole store into a file, also while the season is played; use it with --store FILE.":
        "Den ganzen Speicher in eine Datei kopieren, auch während gespielt wird; benutze sie mit --store DATEI.",
    "New file.":
        "Neue Datei.",
    "Print a link with which one person can create an account; it works once, for two weeks.":
        "Einen Link ausgeben, mit dem eine Person ein Konto anlegen kann; er gilt einmal und zwei Wochen lang.",
    "For a member of this team.":
        "Für ein Mitglied dieses Teams.",
    "For an organiser.":
        "Für jemanden, der den Wettkampf leitet.",
    "Public URL of the pages.":
        "Öffentliche URL der Seiten.",
    # replay
    "Look at recorded games, verify, analyse and convert them.":
        "Aufgezeichnete Spiele ansehen, prüfen, analysieren und umwandeln.",
    "Draw a position of a recorded game, list its moves with their times, and say how it ended.":
        "Eine Stellung eines aufgezeichneten Spiels zeichnen, seine Züge mit Zeiten auflisten und sagen, wie es"
        " endete.",
    "A record (.jsonl) or a reference replay (.xml), also gzipped.":
        "Eine Aufzeichnung (.jsonl) oder ein Replay des Referenzservers (.xml), auch gepackt (.gz).",
    "Draw the position after this number of moves; default: the last one.":
        "Die Stellung nach so vielen Zügen zeichnen; sonst die letzte.",
    "List the moves with their times.":
        "Die Züge mit ihren Zeiten auflisten.",
    "Rules of a reference replay: as refereed in its season, or by the rule document.":
        "Regeln eines Replays des Referenzservers: wie in seiner Saison geleitet oder nach dem Regeldokument.",
    "Replay recorded games by the rules and check moves, times and results. Exit code 1 if anything is wrong.":
        "Aufgezeichnete Spiele nach den Regeln nachspielen und Züge, Zeiten und Ergebnisse prüfen. Exit-Code 1,"
        " wenn etwas nicht stimmt.",
    "Records and reference replays, or folders of them.":
        "Aufzeichnungen und Replays des Referenzservers, oder Ordner davon.",
    "Accept games that break off.":
        "Spiele zulassen, die abbrechen.",
    "Analyse a game with the engine: winning chances, turning points, how good every move was, and the accuracy.":
        "Ein Spiel mit der Engine analysieren: Gewinnchancen, Wendepunkte, die Güte jedes Zuges und die "
        "Genauigkeit.",
    "Seconds per position, errors four times; default: 0.06 without --nodes.":
        "Sekunden je Stellung, bei Fehlern das Vierfache; ohne --nodes sonst 0,06.",
    "Nodes per position: the same result on every machine.":
        "Knoten je Stellung: das gleiche Ergebnis auf jedem Rechner.",
    "Turn a record into a reference replay or back, or many games into one text or back.":
        "Eine Aufzeichnung in ein Replay des Referenzservers umwandeln oder zurück, oder viele Spiele in einen Text "
        "oder zurück.",
    "A record, a reference replay, a text of many games (.txt), or a folder of records.":
        "Eine Aufzeichnung, ein Replay, ein Text mit vielen Spielen (.txt) oder ein Ordner mit Aufzeichnungen.",
    "A new file: .jsonl for a record, .xml for a reference replay, .txt for all games in one text; .gz compresses. "
    "Of a text of many games, a folder.":
        "Eine neue Datei: .jsonl für eine Aufzeichnung, .xml für ein Replay, .txt für alle Spiele in einem Text; .gz "
        "komprimiert. Zu einem Text mit vielen Spielen ein Ordner.",
    "Open a recorded game in the browser.":
        "Ein aufgezeichnetes Spiel im Browser öffnen.",
    "A record or a reference replay.":
        "Eine Aufzeichnung oder ein Replay des Referenzservers.",
    "Port of the pages; another one if it is taken.":
        "Port der Seiten; ein anderer, wenn er belegt ist.",
    "Port of the game master, likewise.":
        "Port des Spielleiters, ebenso.",
    # coach
    "Show what a player should improve first: faults, time, results, and its ten costliest moves with better ones.":
        "Zeigen, was ein Spieler zuerst verbessern sollte: Fehler, Zeit, Ergebnisse und seine zehn teuersten Züge mit "
        "besseren.",
    "Ctrl-C stops the engine: the report then has what was found so far (exit code 130).":
        "Strg-C hält die Engine an: Dann steht im Bericht, was bis dahin gefunden wurde (Exit-Code 130).",
    "Folders of matches, records, or folders of records.":
        "Ordner von Matches, Aufzeichnungen oder Ordner von Aufzeichnungen.",
    "The player to coach, by its name in these games.":
        "Der Spieler, um den es geht, mit seinem Namen in diesen Spielen.",
    "Seconds of engine time, all games together.":
        "Sekunden, die die Engine rechnet, für alle Spiele zusammen.",
    "Write the costly positions to this drill, or add them to the one there.":
        "Die teuren Stellungen in diese Übungsdatei schreiben, oder der vorhandenen hinzufügen.",
    "Draw the positions of the costliest moves.":
        "Die Stellungen der teuersten Züge zeichnen.",
    # drill
    "Ask a player for one move in each position of a drill, and compare with the last time.":
        "Einen Spieler in jeder Stellung einer Übungsdatei nach einem Zug fragen und mit dem letzten Mal vergleichen.",
    "Exit code 0: all are solved. 1: some are not. 2: it cannot be played. 3: the program never joined a game. 130: "
    "interrupted, nothing is written to the history.":
        "Exit-Code 0: alle gelöst. 1: nicht alle. 2: Die Übung lässt sich nicht spielen. 3: Das Programm kam in kein "
        "Spiel. 130: unterbrochen, der Verlauf bleibt unverändert.",
    "A Python file, a folder or ZIP with start.sh, a command in quotes, or a built-in player.":
        "Eine Python-Datei, ein Ordner oder ZIP mit start.sh, ein Befehl in Anführungszeichen oder ein eingebauter "
        "Spieler.",
    "A drill that coach has written.":
        "Eine Übungsdatei, die coach geschrieben hat.",
    "Refuse drills of another game.":
        "Übungen eines anderen Spiels ablehnen.",
    # games, rules, show, perft, conform, engine
    "List the games and rule sets.":
        "Die Spiele und Regelwerke auflisten.",
    "Explain the rules of a game, with boards as text; the pages have the same with pictures and exercises.":
        "Die Regeln eines Spiels erklären, mit Spielfeldern als Text; die Seiten haben dasselbe mit Bildern und "
        "Übungen.",
    "The key of a game.":
        "Der Schlüssel eines Spiels.",
    "Only the short form.":
        "Nur die Kurzfassung.",
    "Draw a position, say who is to move, and give its notation.":
        "Eine Stellung zeichnen, sagen, wer am Zug ist, und ihre Notation angeben.",
    "A position in the game's notation, in quotes; or the key of a game, for a start position.":
        "Eine Stellung in der Notation des Spiels, in Anführungszeichen; oder der Schlüssel eines Spiels, für "
        "eine Anfangsstellung.",
    "Seed of the start position.":
        "Startwert der Anfangsstellung.",
    "A move to play first; repeatable.":
        "Ein Zug, der vorher gespielt wird; mehrfach möglich.",
    "List the legal moves.":
        "Die erlaubten Züge auflisten.",
    "Write the board as SVG to this file.":
        "Das Brett als SVG in diese Datei schreiben.",
    "Use the colours for dark pages.":
        "Die Farben für dunkle Seiten nehmen.",
    "Count the move sequences from a position, or compare with known counts.":
        "Die Zugfolgen ab einer Stellung zählen oder mit bekannten Zahlen vergleichen.",
    "A position in quotes; or the key of a game.":
        "Eine Stellung in Anführungszeichen; oder der Schlüssel eines Spiels.",
    "Depth in moves.":
        "Tiefe in Zügen.",
    "Show the count for each first move.":
        "Die Zahl für jeden ersten Zug zeigen.",
    "Compare with a file of known counts; repeatable.":
        "Mit einer Datei bekannter Zahlen vergleichen; mehrfach möglich.",
    "Replay games recorded from the reference servers and compare every ply with our rules.":
        "Aufgezeichnete Spiele der Referenzserver nachspielen und jeden Zug mit unseren Regeln vergleichen.",
    "Prints a summary and the first difference; exit code 1 on any difference.":
        "Gibt eine Zusammenfassung und den ersten Unterschied aus; Exit-Code 1 bei jedem Unterschied.",
    "Files of recorded games (.jsonl, .jsonl.gz).":
        "Dateien mit aufgezeichneten Spielen (.jsonl, .jsonl.gz).",
    "Replay by the rule documents instead, and count how the results differ.":
        "Stattdessen nach den Regeldokumenten nachspielen und zählen, wie die Ergebnisse abweichen.",
    "Show the version and speed of the native engine, or why it is not available (exit code 1).":
        "Version und Geschwindigkeit der nativen Engine zeigen, oder warum es sie nicht gibt (Exit-Code 1).",
    "Measure its speed (takes some seconds).":
        "Ihre Geschwindigkeit messen (dauert einige Sekunden).",
}  # fmt: skip
