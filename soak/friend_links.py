"""Links of invitations to play, guessed by many at once: at random, and close to a real one."""

from __future__ import annotations

import asyncio
import math
import secrets
import time
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import httpx

from soak.scenario import Deadline, Findings
from spielleiter.game import Team
from spielleiter.server import MasterSettings
from spielleiter.web.browsers import COOKIE, new_browser
from spielleiter.web.play.holders import Holder
from spielleiter.web.play.seating import Table
from spielleiter.web.server import Running, WebSettings, serving

_GUESSERS = 8
_GUESSES = 50
"""Of each guesser in a round."""
_TOKENS = 20_000
_BITS = 128
_ASSERTED = (
    f"no guess opens a seat, each is answered by 404; a withdrawn link no more; the friend gets in and nobody after;"
    f" {_BITS} bits, each of them random"
)


def run(deadline: Deadline) -> Findings:
    findings = Findings(_ASSERTED)
    _check_tokens(findings)
    with TemporaryDirectory() as folder:
        asyncio.run(_guess(Path(folder), deadline, findings))
    return findings


def _check_tokens(findings: Findings) -> None:
    """Each bit of a token is set in half of them, but for chance (six standard deviations)."""
    tokens = [Holder.invited().token for _ in range(_TOKENS)]
    findings.expect(len(set(tokens)) == _TOKENS, "two invitations have the same link")
    numbers = [int.from_bytes(urlsafe_b64decode(token + "==")) for token in tokens]
    for bit in range(_BITS):
        ones = sum(number >> bit & 1 for number in numbers)
        is_random = abs(ones - _TOKENS / 2) < 6 * math.sqrt(_TOKENS) / 2
        findings.expect(is_random, f"bit {bit} of the links is set in {ones} of {_TOKENS}")


async def _guess(folder: Path, deadline: Deadline, findings: Findings) -> None:
    guesses = rounds = 0
    seconds, rng = 0.0, Random(1)
    async with serving(WebSettings(port=0, master=MasterSettings(port=0, records=folder))) as running:
        while not (deadline.is_past and rounds):
            rounds += 1
            async with _browser(running) as host:
                table = await _invite(host, running)
                withdrawn = table.holders[Team.TWO].token
                await host.post(f"/table/{table.key}/invite-again", data={"team": "two"})
                began = time.monotonic()
                plans = [list(_guesses(table, withdrawn, rng)) for _ in range(_GUESSERS)]
                await asyncio.gather(*(_try(running, plan, findings) for plan in plans))
                seconds += time.monotonic() - began
                guesses += 2 * sum(map(len, plans))
                await _let_friend_in(running, table, findings)
                await running.web_app.tables.close(table)
    rate = guesses / seconds
    years = math.log10(2**_BITS / rate / (365 * 86400))
    findings.done = (
        f"{guesses} guesses by {_GUESSERS} clients at once at {rounds} tables, {rate:.0f} a second:"
        f" at that rate 10^{years:.0f} years for all links"
    )


def _browser(running: Running) -> httpx.AsyncClient:
    cookies = {COOKIE: new_browser()}
    return httpx.AsyncClient(base_url=f"http://127.0.0.1:{running.port}", cookies=cookies, timeout=120)


async def _invite(host: httpx.AsyncClient, running: Running) -> Table:
    answer = await host.post("/tables", data={"play": "friend piranhas-2026", "kind1": "person", "name1": "Ada"})
    table = running.web_app.tables.get(answer.headers["location"].split("/")[-1])
    assert table is not None
    return table


def _guesses(table: Table, withdrawn: str, rng: Random) -> Iterator[str]:
    """Tokens that are not that of the table: some of chance, some as near to it as can be."""
    token = table.holders[Team.TWO].token
    yield from (withdrawn, table.key, token[:-1], token[1:], f"{token}A", f"{token}=", f"{token}%00", "%20")
    yield from (guess for guess in (token.swapcase(), token.lower(), token[::-1]) if guess != token)
    for _ in range(_GUESSES // 2):
        place = rng.randrange(len(token))
        letter = rng.choice([letter for letter in "AZaz09-_" if letter != token[place]])
        yield token[:place] + letter + token[place + 1 :]
    for _ in range(_GUESSES // 2):
        yield secrets.token_urlsafe(16)


async def _try(running: Running, guesses: list[str], findings: Findings) -> None:
    async with _browser(running) as client:
        for guess in guesses:
            for answer in (
                await client.get(f"/invite/{guess}"),
                await client.post(f"/invite/{guess}", data={"name": "Eve"}),
            ):
                findings.expect(answer.status_code == 404, f"a guess was answered by {answer.status_code}: {guess!r}")


async def _let_friend_in(running: Running, table: Table, findings: Findings) -> None:
    holder = table.holders[Team.TWO]
    findings.expect(holder.is_missing, "a guesser has the seat")
    async with _browser(running) as friend, _browser(running) as late:
        await friend.post(f"/invite/{holder.token}", data={"name": "Grace"})
        findings.expect(holder.browser == friend.cookies[COOKIE], "the friend did not get the seat")
        answer = await late.post(f"/invite/{holder.token}", data={"name": "Eve"})
        findings.expect(answer.status_code == 409, f"the used link was answered by {answer.status_code}")
    findings.expect(table.seats[Team.TWO].name == "Grace", "somebody else sits there")
