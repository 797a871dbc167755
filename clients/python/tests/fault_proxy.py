"""A proxy between client and service that spoils answers."""

from __future__ import annotations

import http.client
import http.server
import json
import threading
from collections.abc import Callable
from urllib.parse import urlsplit

FAULTS = ("none", "cut request", "cut answer", "429", "503", "foreign 503", "cut JSON", "foreign page", "silence", "drip")


class FaultProxy:
    def __init__(self, target: str, choose: Callable[[], str]) -> None:
        upstream = urlsplit(target)
        self.counts: dict[str, int] = {}
        self.stopping = threading.Event()
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                pass

            def reply(self, status: int, headers: dict[str, str], body: bytes, cut: int | None = None) -> None:
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body if cut is None else body[:cut])
                self.wfile.flush()
                if cut is not None:
                    self.close_connection = True

            def do_GET(self) -> None:
                fault = choose()
                proxy.counts[fault] = proxy.counts.get(fault, 0) + 1
                if fault == "cut request":
                    self.close_connection = True
                    return
                if fault in ("429", "503"):
                    code = "RATE_LIMITED" if fault == "429" else "OVERLOADED"
                    body = json.dumps({"error": {"code": code, "message": "By the proxy."}}).encode()
                    return self.reply(int(fault), {"x-request-id": "proxy", "retry-after": "0"}, body)
                if fault == "foreign 503":
                    return self.reply(503, {}, b"<html>Service Unavailable</html>")
                if fault == "foreign page":
                    return self.reply(200, {}, b"<html>Sign in</html>")
                if fault == "silence":
                    proxy.stopping.wait(60)
                    return
                if fault == "drip":
                    # a byte now and then: no single read of the client ever times out
                    while not proxy.stopping.wait(0.05):
                        try:
                            self.wfile.write(b"H")
                        except OSError:
                            return
                connection = http.client.HTTPConnection(upstream.hostname or "", upstream.port)
                given = {name: value for name, value in self.headers.items() if name.lower() != "host"}
                connection.request("GET", self.path, headers=given)
                answer = connection.getresponse()
                body = answer.read()
                connection.close()
                drop = {"content-length", "connection", "transfer-encoding", "keep-alive"}
                headers = {name: value for name, value in answer.getheaders() if name.lower() not in drop}
                if fault == "cut answer":
                    return self.reply(answer.status, headers, body, cut=len(body) // 2)
                if fault == "cut JSON":
                    body = body[: len(body) // 2]
                self.reply(answer.status, headers, body)

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: object) -> None:
                pass  # a client that gave up

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()
