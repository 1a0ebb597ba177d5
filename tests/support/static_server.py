"""A folder on a web server that knows nothing but files, and one that counts who asks it for something."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.support.waiting import wait_until


class StaticServer:
    """``python -m http.server`` for a folder: it can be ended for good."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory", str(folder), "0"]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self._process.stdout is not None
        self.base = f"http://127.0.0.1:{self._process.stdout.readline().split(' port ')[1].split()[0]}"

    def end(self) -> None:
        """Nobody answers any more."""
        self._process.kill()
        self._process.communicate()


Answers = dict[str, tuple[dict[str, str], str]]
"""Headers and text by path."""


@contextmanager
def counting_server(answers: Answers | None = None) -> Iterator[tuple[str, list[str]]]:
    """The address of a server that answers everything to everybody, and the paths that it was asked for."""
    asked: list[str] = []
    known = {} if answers is None else answers

    class Counts(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            kind = "text/html" if self.path == "/" else "text/javascript"
            headers, text = known.get(self.path, ({"access-control-allow-origin": "*", "content-type": kind}, ""))
            self.send_response(200)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(text.encode())

        do_POST = do_GET  # noqa: N815 - the name in the library

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name in the library
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Counts)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
    finally:
        server.shutdown()
        server.server_close()
        wait_until(lambda: not thread.is_alive())


WAYS_OUT = """
const target = "{target}";
const socket = (Kind, address) => new Promise((open, closed) => {{
  const one = new Kind(address);
  one.onopen = one.onmessage = open;
  one.onerror = () => closed(new Error("closed"));
}});
const ways = {{
  fetch: () => fetch(`${{target}}/fetch`, {{ mode: "no-cors" }}),
  post: () => fetch(`${{target}}/post`, {{ method: "POST", mode: "no-cors", body: "secret" }}),
  xhr: () => {{ const one = new XMLHttpRequest(); one.open("GET", `${{target}}/xhr`, false); one.send(); }},
  websocket: () => socket(WebSocket, `${{target.replace("http", "ws")}}/websocket`),
  eventsource: () => socket(EventSource, `${{target}}/eventsource`),
  import: () => import(`${{target}}/import.js`),
  importScripts: () => importScripts(`${{target}}/importScripts.js`),
  worker: () => {{
    const script = `importScripts("${{target}}/worker.js"); postMessage(1)`;
    return socket(Worker, URL.createObjectURL(new Blob([script])));
  }},
  ours: () => fetch(`${{location.origin}}/ours`),
}};
(async () => {{
  const found = {{}};
  for (const [name, go] of Object.entries(ways)) {{
    try {{
      await Promise.race([go(), new Promise((_, late) => setTimeout(late, 3000, new Error("late")))]);
      found[name] = "open";
    }} catch (problem) {{
      found[name] = String(problem);
    }}
  }}
  postMessage(found);
}})();
"""
"""A script for a worker that tries every way out that browsers give to workers; ``ours`` is on its own server."""
