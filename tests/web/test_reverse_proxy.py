"""The example configuration of nginx, with a real nginx in front of the pages."""

from __future__ import annotations

import asyncio
import re
import shutil
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

httpx = pytest.importorskip("httpx")

from spielleiter.server import MasterSettings
from spielleiter.web import guard
from spielleiter.web.connections import ConnectionLimits
from spielleiter.web.server import Running, WebSettings, serving
from tests.support.waiting import until

NGINX = shutil.which("nginx") or "/usr/sbin/nginx"
EXAMPLE = Path(__file__).parents[2] / "deploy" / "nginx.conf"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path(NGINX).exists(), reason="nginx is not installed"),
]


def configuration(folder: Path, port: int, pages: int) -> str:
    """The example on other ports, without TLS and without what only root may do."""
    text = re.sub(r"listen 443 ssl;", f"listen 127.0.0.1:{port};", EXAMPLE.read_text(encoding="utf-8"))
    text = re.sub(r"ssl_certificate\S*\s.*;", "", text).replace("127.0.0.1:8050", f"127.0.0.1:{pages}")
    paths = "".join(
        f"{name}_temp_path {folder}/{name};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    return (
        f"daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log;\n"
        f"events {{}}\nhttp {{\naccess_log off;\n{paths}{text}\n}}\n"
    )


@asynccontextmanager
async def behind_nginx(folder: Path) -> AsyncIterator[tuple[Running, str]]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    settings = WebSettings(
        port=0,
        master=MasterSettings(port=0, records=folder / "records"),
        public_url="https://contest.example",
        trusted_proxies=("127.0.0.1/32",),
        limits=ConnectionLimits(per_address=3),
    )
    async with serving(settings) as running:
        file = folder / "nginx.conf"
        file.write_text(configuration(folder, port, running.port))
        nginx = await asyncio.create_subprocess_exec(NGINX, "-c", str(file), "-e", str(folder / "error.log"))
        try:

            def listens() -> bool:
                assert nginx.returncode is None, (folder / "error.log").read_text()
                with socket.socket() as connection:
                    return connection.connect_ex(("127.0.0.1", port)) == 0

            await until(listens)
            yield running, f"http://127.0.0.1:{port}"
        finally:
            nginx.terminate()
            await nginx.wait()


def test_the_example_of_nginx_passes_pages_streams_and_addresses(tmp_path: Path) -> None:
    async def visit() -> None:
        async with behind_nginx(tmp_path) as (running, base), httpx.AsyncClient(base_url=base) as client:
            assert running.settings.keys is not None
            answer = await client.get("/", params={"key": running.settings.keys.host})
            cookies = answer.headers.get_list("set-cookie")
            assert cookies
            assert all("Secure" in cookie for cookie in cookies)
            assert answer.headers["strict-transport-security"] == "max-age=31536000"
            key = {"cookie": f"{guard.COOKIE}={running.settings.keys.host}"}
            origin = {"origin": base}  # The host must arrive as the browser named it, or every form is refused.
            assert (await client.post("/tables", headers=key | origin)).status_code != 403
            streams: list[Any] = []
            for _ in range(3):
                request = client.build_request("GET", "/watch/events", headers=key)
                streams.append(await client.send(request, stream=True))
            texts = [stream.aiter_text() for stream in streams]  # Held, for a forgotten one closes its stream.
            first = [await anext(text) for text in texts]
            assert all(text.startswith("retry:") for text in first), "events come at once"
            spoofed = key | {"x-forwarded-for": "203.0.113.5"}
            assert (await client.get("/watch", headers=spoofed)).status_code == 503, "one visitor, whatever they claim"
            for stream in streams:
                await stream.aclose()
            # Half requests stay with nginx.
            halves = [await asyncio.open_connection(*base.removeprefix("http://").split(":")) for _ in range(50)]
            for _, writer in halves:
                writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")
            async with asyncio.timeout(60):
                while (answer := await client.get("/watch", headers=key)).status_code == 503:
                    pass  # The streams are being taken down.
            assert answer.status_code == 200
            assert len(running.connections) < 10
            for _, writer in halves:
                writer.close()

    asyncio.run(asyncio.wait_for(visit(), 60))
