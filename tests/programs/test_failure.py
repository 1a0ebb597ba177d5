"""From what a program printed and how it ended to the one line that says why. The texts are those of real programs."""

from __future__ import annotations

import pytest

from spielleiter.programs.failure import explain_failure, last_error
from spielleiter.programs.sandbox import Breach, ExitStatus, ProgramFile
from spielleiter.text import Text

PYTHON = """\
joined
Traceback (most recent call last):
  File "/home/player/player.py", line 12, in <module>
    play(MyPlayer())
  File "/home/player/brain/search.py", line 5, in choose
    return json.loads(text)
           ^^^^^^^^^^^^^^^^
  File "/usr/lib/python3.11/json/decoder.py", line 355, in raw_decode
    raise JSONDecodeError("Expecting value", s, err.value) from None
json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)
"""
SYNTAX = """\
  File "/home/player/player.py", line 3
    def choose(self
              ^
SyntaxError: '(' was never closed
"""
ODD_NAME = """\
Traceback (most recent call last):
  File "player.py", line 7, in <module>
    raise Unlucky
Unlucky: first line
of two
"""
GROUP = """\
  + Exception Group Traceback (most recent call last):
  |   File "/home/player/player.py", line 1, in <module>
  |     raise ExceptionGroup("two", [ValueError(1)])
  | ExceptionGroup: two (1 sub-exception)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/home/player/player.py", line 9, in f
    |     raise ValueError(1)
    | ValueError: 1
    +------------------------------------
"""
JAVA = """\
Picked up JAVA_TOOL_OPTIONS: -XX:MaxRAM=1500m
Exception in thread "main" java.lang.OutOfMemoryError: Java heap space
\tat java.base/java.util.Arrays.copyOf(Arrays.java:3537)
\tat P.main(P.java:17)
"""
CAUSED = """\
Exception in thread "main" java.lang.RuntimeException: java.io.IOException: no book
\tat sc.Starter.run(Starter.java:41)
\tat sc.Starter.main(Starter.java:8)
Caused by: java.io.IOException: no book
\tat sc.Book.open(Book.java:12)
\t... 2 more
"""
RUST = """\

thread 'main' (3) panicked at src/main.rs:11:8:
index out of bounds: the len is 0 but the index is 7
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
"""
OLD_RUST = "thread 'main' panicked at 'no move', src/logic.rs:4:5\nnote: run with `RUST_BACKTRACE=1`\n"
NODE = """\
/home/player/p.js:1
const s = undefined; function f(){ return s.length }
                                            ^

TypeError: Cannot read properties of undefined (reading 'length')
    at f (/home/player/p.js:1:45)
    at Object.<anonymous> (/home/player/p.js:2:1)
    at node:internal/main/run_main_module:28:49

Node.js v20.20.2
"""
GO = """\
panic: runtime error: index out of range [5] with length 3

goroutine 1 [running]:
main.choose(...)
\t/home/player/player.go:9
main.main()
\t/home/player/player.go:5 +0x1d
exit status 2
"""
DOTNET = """\
Unhandled exception. System.NullReferenceException: Object reference not set to an instance of an object.
   at System.Linq.Enumerable.First[T]()
   at Player.Choose() in /src/Player.cs:line 23
"""
CPP = """\
terminate called after throwing an instance of 'std::out_of_range'
  what():  vector::_M_range_check: __n (which is 3) >= this->size() (which is 3)
Aborted (core dumped)
"""
KIT = """\
Traceback (most recent call last):
  File "/site-packages/spielleiter/client/player_runner.py", line 143, in answer
TypeError: choose() takes 2 positional arguments but 3 were given
  . . . the board
player.py: choose() raised TypeError: choose() takes 2 positional arguments but 3 were given in player.py, line 3
"""


XSTREAM = (
    """\
Security framework of XStream not explicitly initialized, using predefined black list on your own risk.
Exception in thread "main" java.lang.NullPointerException: no piece
\tat sc.player.Logic.calculateMove(Logic.java:31)
"""
    + "".join(f"07:05:1{n}.123 [main] INFO  sc.player.Starter - turn {n}\n" for n in range(9))
    + """\
Nov 18, 2026 7:05:21 AM sc.player.Starter main
INFO: WINNER TWO
"""
)
OLD_SDK = """\
Exception in thread "main" java.lang.reflect.InaccessibleObjectException: Unable to make field private accessible
\tat sc.player.Starter.main(Starter.java:8)
"""

CAUSE_IN_A_LIBRARY = """\
OpenJDK 64-Bit Server VM warning: Sharing is only supported for boot loader classes
Exception in thread "main" java.lang.RuntimeException: java.lang.IllegalStateException: no colour
\tat sc.plugin2026.GameState.performMove(GameState.kt:88)
\tat sc.player2026.logic.Logic.calculateMove(Logic.java:52)
\tat sc.player2026.Starter.main(Starter.java:33)
Caused by: java.lang.IllegalStateException: no colour
\tat java.base/java.util.Optional.orElseThrow(Optional.java:403)
\tat com.thoughtworks.xstream.XStream.fromXML(XStream.java:9)
\t... 3 more
SLF4J: Failed to load class "org.slf4j.impl.StaticLoggerBinder".
"""
LOGGED = """\
12:01:02.345 [main] ERROR sc.player.Starter - game lost java.lang.NullPointerException: no move
\tat sc.framework.plugins.Player.ask(Player.kt:4)
\tat sc.player.Logic.calculateMove(Logic.java:31)
12:01:02.400 [main] WARN  sc.player.Starter - connection closed
"""
RUBY = """\
/var/lib/gems/3.1.0/gems/old.rb:3: warning: already initialized constant
/var/lib/gems/3.1.0/gems/software_challenge_client/client.rb:9:in `read': undefined method `x' for nil (NoMethodError)
\tfrom /home/player/client.rb:12:in `move_requested'
\tfrom main.rb:5:in `<main>'
"""
RUBY_34 = """\
main.rb:5:in 'Client#move': undefined method 'foo' for nil (NoMethodError)

    board.foo
         ^^^^
\tfrom main.rb:9:in '<main>'
"""
DOTNET_INNER = """\
Unhandled exception. System.AggregateException: One or more errors occurred. (No piece.)
 ---> System.InvalidOperationException: No piece.
   at System.Linq.ThrowHelper.ThrowNoElementsException()
   at Bot.Logic.Choose() in /src/Logic.cs:line 40
   --- End of inner exception stack trace ---
   at Bot.Program.Main() in /src/Program.cs:line 8
"""
MONO = """\
[ERROR] FATAL UNHANDLED EXCEPTION: System.NullReferenceException: Object reference not set
  at Bot.Logic.Choose () [0x00001] in /src/Logic.cs:17
"""
NODE_CAUSE = """\
node:events:502
      throw er; // Unhandled 'error' event
      ^

Error: no answer
    at Socket.<anonymous> (/home/player/bot.js:8:11)
Emitted 'error' event on Socket instance at:
    at emitErrorNT (node:internal/streams/destroy:151:8) {
  [cause]: RangeError: no such square
}

Node.js v20.20.2
"""
CLEANED_UP = """\
Traceback (most recent call last):
  File "/home/player/player.py", line 4, in choose
    return moves[0]
IndexError: list index out of range
/home/player/player.py:1: DeprecationWarning: the imp module is deprecated
  import imp
Exception ignored in: <_io.TextIOWrapper name='<stdout>'>
Traceback (most recent call last):
  File "/home/player/player.py", line 9, in flush
BrokenPipeError: [Errno 32] Broken pipe
"""


@pytest.mark.parametrize(
    ("printed", "line"),
    [
        (CAUSE_IN_A_LIBRARY, "java.lang.IllegalStateException: no colour (Logic.java, line 52)"),
        (LOGGED, "java.lang.NullPointerException: no move (Logic.java, line 31)"),
        (RUBY, "undefined method `x' for nil (NoMethodError) (client.rb, line 12)"),
        (RUBY_34, "undefined method 'foo' for nil (NoMethodError) (main.rb, line 5)"),
        (DOTNET_INNER, "System.InvalidOperationException: No piece. (Logic.cs, line 40)"),
        (MONO, "System.NullReferenceException: Object reference not set (Logic.cs, line 17)"),
        (NODE_CAUSE, "Error: no answer (bot.js, line 8)"),
        (CLEANED_UP, "IndexError: list index out of range (player.py, line 4)"),
        (XSTREAM, "java.lang.NullPointerException: no piece (Logic.java, line 31)"),
        (
            OLD_SDK,
            "java.lang.reflect.InaccessibleObjectException: Unable to make field private accessible (Java 17+: java"
            " --add-opens java.base/java.lang=ALL-UNNAMED --add-opens java.base/java.util=ALL-UNNAMED ...)"
            " (Starter.java, line 8)",
        ),
        (PYTHON, "json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0) (search.py, line 5)"),
        (SYNTAX, "SyntaxError: '(' was never closed (player.py, line 3)"),
        (ODD_NAME, "Unlucky: first line (player.py, line 7)"),
        (GROUP, "ValueError: 1 (player.py, line 9)"),
        (JAVA, "java.lang.OutOfMemoryError: Java heap space (P.java, line 17)"),
        (CAUSED, "java.io.IOException: no book (Book.java, line 12)"),
        (JAVA + "\tat P.f(P.java:3)\n" * 1024, "java.lang.OutOfMemoryError: Java heap space (P.java, line 17)"),
        (RUST, "index out of bounds: the len is 0 but the index is 7 (src/main.rs, line 11)"),
        (OLD_RUST, "no move (src/logic.rs, line 4)"),
        (NODE, "TypeError: Cannot read properties of undefined (reading 'length') (p.js, line 1)"),
        (GO, "panic: runtime error: index out of range [5] with length 3 (player.go, line 9)"),
        (
            DOTNET,
            "System.NullReferenceException: Object reference not set to an instance of an object. (Player.cs, line 23)",
        ),
        (CPP, "std::out_of_range: vector::_M_range_check: __n (which is 3) >= this->size() (which is 3)"),
        (KIT, KIT.splitlines()[-1]),
        ("./start.sh: 2: exec: ./nothere: not found\n", "./start.sh: 2: exec: ./nothere: not found"),
        ("loading\n\x1b[31mcannot connect\x1b[0m\n\n", "cannot connect"),
        ("   only indented\n", "only indented"),
        ("x" * 1000, "x" * 299 + "…"),
        ("", ""),
    ],
)
def test_the_last_error_is_found_with_file_and_line(printed: str, line: str) -> None:
    found = last_error(printed.encode())
    assert found.en == line
    assert found.de == line.replace(", line ", ", Zeile ") or line.startswith("player.py")


def status(code: int | None, err: str = "", out: str = "", breach: Breach | None = None) -> ExitStatus:
    return ExitStatus(code, breach, out.encode(), err.encode(), 0, 0.0)


def test_an_error_on_standard_output_counts_more_than_noise_on_standard_error() -> None:
    noise = "Picked up JAVA_TOOL_OPTIONS: -Xmx1g\nSecurity framework of XStream not explicitly initialized\n"
    ended = status(1, noise, out='Exception in thread "main" java.io.IOException: no book\n')
    assert explain_failure(ended).en == "java.io.IOException: no book"
    assert explain_failure(status(1, noise, out="no book found\n")).en == "no book found"


@pytest.mark.parametrize(
    ("printed", "line"),
    [
        (
            "bot.cpp: In function ‘f()’:\nbot.cpp:7:5: error: ‘x’ was not declared in this scope\n    7 |     x\n"
            "bot.cpp:9:1: error: expected ‘;’\n",
            "‘x’ was not declared in this scope (bot.cpp, line 7)",
        ),
        (
            "cc1: fatal error: bot.c: No such file or directory\ncompilation terminated.\n",
            "bot.c: No such file or directory",
        ),
        ("Bot.java:3: error: ';' expected\n  int x\n       ^\n1 error\n", "';' expected (Bot.java, line 3)"),
        ("Bot.cs(3,14): error CS1002: ; expected\n", "; expected (Bot.cs, line 3)"),
        ("# bot\n./main.go:5:2: undefined: x\n", "undefined: x (main.go, line 5)"),
        (
            "   Compiling bot v0.1.0\nerror[E0425]: cannot find value `x` in this scope\n --> src/main.rs:2:5\n  |\n"
            'error: could not compile `bot` (bin "bot") due to 1 previous error\n',
            "cannot find value `x` in this scope (src/main.rs, line 2)",
        ),
    ],
)
def test_a_player_that_does_not_build_says_its_first_error(printed: str, line: str) -> None:
    assert last_error(printed.encode()).en == line


@pytest.mark.parametrize(
    ("ended", "de", "en"),
    [
        (status(-11), "Zugriff auf ungültigen Speicher (SIGSEGV)", "access to invalid memory (SIGSEGV)"),
        (
            status(-11, "reading config\nSegmentation fault (core dumped)\n"),
            "Zugriff auf ungültigen Speicher (SIGSEGV); reading config",
            "access to invalid memory (SIGSEGV); reading config",
        ),
        (status(-10), "beendet durch das Signal SIGUSR1", "ended by the signal SIGUSR1"),
        (status(-99), "beendet durch das Signal 99", "ended by the signal 99"),
        (
            status(None, "tables: 2 GB\n", breach=Breach.MEMORY),
            "hat mehr Speicher benutzt als erlaubt; tables: 2 GB",
            "used more memory than allowed; tables: 2 GB",
        ),
        (status(1, out="no book\n"), "no book", "no book"),
        (status(3), "endete sofort und stumm (Exit-Code 3)", "ended at once and silently (exit code 3)"),
        (status(0), "endete ohne Fehlermeldung", "ended without an error message"),
        (status(None), "", ""),
    ],
)
def test_how_it_was_ended_is_said_in_words(ended: ExitStatus, de: str, en: str) -> None:
    assert explain_failure(ended) == Text(de, en)


@pytest.mark.parametrize(
    ("printed", "name"),
    [
        ("java: No such file or directory", "Java"),
        ("./start.sh: 4: exec: java: not found", "Java"),
        ("/usr/bin/env: ‘ruby’: No such file or directory", "Ruby"),
        ("bash: exec: node: not found", "Node.js"),
        ("bash: dotnet: command not found", ".NET"),
        ("./start.sh: 2: exec: mono: not found", "Mono"),
    ],
)
def test_a_machine_without_the_run_time_is_reported(printed: str, name: str) -> None:
    why = explain_failure(status(127, printed))
    assert why == Text(f"{name} ist auf diesem Rechner nicht installiert", f"{name} is not installed on this machine")


def test_a_player_of_the_kit_that_was_zipped_by_hand_learns_how_it_is_packed() -> None:
    printed = 'Traceback (most recent call last):\n  File "/p/player.py", line 9, in <module>\n    import spielleiter\n'
    why = explain_failure(status(1, f"{printed}ModuleNotFoundError: No module named 'spielleiter'\n"))
    assert why.en.endswith("(player.py, line 9); the kit is not in the ZIP; 'spielleiter pack' adds it")


def test_what_a_program_calls_like_a_run_time_is_not_taken_for_one() -> None:
    why = explain_failure(status(127, "./start.sh: 2: exec: ./ruby-player: not found"))
    assert why.en == "./start.sh: 2: exec: ./ruby-player: not found"


@pytest.mark.parametrize(
    "headline",
    ["Error: LinkageError occurred while loading main class Player\n\t", 'Exception in thread "main" '],
)
def test_a_program_for_a_newer_java_is_told_which_one_is_here(headline: str) -> None:
    printed = (
        f"{headline}java.lang.UnsupportedClassVersionError: Player has been compiled by a more recent version of the "
        "Java Runtime (class file version 69.0), this version of the Java Runtime only recognizes class file versions "
        "up to 61.0"
    )
    assert explain_failure(status(1, printed)) == Text(
        "Player ist für Java 25 übersetzt, hier läuft Java 17: übersetze mit javac --release 17",
        "Player was compiled for Java 25, but Java 17 runs here: compile with javac --release 17",
    )


def test_windows_line_ends_are_named_instead_of_a_missing_file() -> None:
    ended = status(127, "./start.sh: No such file or directory\n")
    script = ProgramFile("start.sh", b"#!/bin/sh\r\n./p\r\n", True)
    assert explain_failure(ended, script).de == "start.sh: die Zeilen enden mit CR LF (Windows)"
    assert explain_failure(ended, script).en == "start.sh: the lines end in CR LF (Windows)"
    unix = ProgramFile("start.sh", b"#!/bin/sh\n./p\n", True)
    assert explain_failure(ended, unix).en == "./start.sh: No such file or directory"


@pytest.mark.parametrize("printed", [b"Error:\tno\tmove\n", b'  File "a\tb.py", line 1\nSyntaxError: x\n'])
def test_a_failure_stays_in_one_line_without_tabs(printed: bytes) -> None:
    assert last_error(printed).de.isprintable()


@pytest.mark.parametrize("part", ["a.", "x.rb:1:in `", "': (", " (A", "at java.", "A.Error ", "--->", "=", "x/"])
def test_an_endless_line_keeps_nobody_waiting(part: str) -> None:
    """With the square of its length this would take minutes."""
    printed = (part * 50_000 + "\n\tat x.Y.z(Y.java:1)\n").encode()
    assert last_error(printed[-99_000:]).en.isprintable()
    assert last_error(b"x.rb:1:in `f': " + printed).en.isprintable()
