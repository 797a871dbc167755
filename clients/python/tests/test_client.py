"""Against a running service: SIGHTLINE_URL, SIGHTLINE_API_KEY, and for tokens SIGHTLINE_CLIENT_ID and SIGHTLINE_CLIENT_SECRET."""

from __future__ import annotations

import asyncio
import gzip
import http.server
import itertools
import json
import os
import random
import threading
import typing
import unittest

import sightline
from fault_proxy import FAULTS, FaultProxy
from sightline import AsyncSightline, OAuthClient, Sightline, SightlineError
from sightline import _generated as generated

URL = os.environ["SIGHTLINE_URL"]
KEY = os.environ["SIGHTLINE_API_KEY"]

EXAMPLES: dict[str, dict[str, typing.Any]] = json.loads(os.environ["SIGHTLINE_EXAMPLES"])
"""Operation id -> required parameters by their names in Python."""

LOOKUPS: dict[str, typing.Callable[[Sightline], typing.Callable[..., typing.Any]]] = {
    "serp": lambda c: c.searchengine.serp,
    "short-video": lambda c: c.shortvideo.video,
    "microblog-post": lambda c: c.microblog.post,
    "forum-community": lambda c: c.forum.community,
    "forum-search": lambda c: c.forum.search,
    "forum-comments": lambda c: c.forum.comments,
    "app": lambda c: c.appmarket.app,
    "app-reviews": lambda c: c.appmarket.reviews,
    "appstore-reviews": lambda c: c.appmarket.appstore_reviews,
    "app-keywords": lambda c: c.appmarket.keywords,
    "app-developer": lambda c: c.appmarket.developer,
    "appstore-category": lambda c: c.appmarket.category,
    "traffic": lambda c: c.traffic.domain,
    "registration": lambda c: c.registration.domain,
}


def keys_of(operation: str) -> set[str]:
    """The fields that the generated type of an operation's resource states."""
    method = LOOKUPS[operation](Sightline(api_key="sl_x"))
    name = type(method).__call__.__annotations__["return"]
    return set(getattr(generated, name).__annotations__)


class Lookups(unittest.TestCase):
    def test_every_operation_answers_with_the_fields_of_its_type(self) -> None:
        self.assertEqual(set(LOOKUPS), {name for name in generated.OPERATIONS if not name.startswith("account")})
        with Sightline() as client:
            for operation, method_of in LOOKUPS.items():
                with self.subTest(operation):
                    self.assertEqual(set(method_of(client)(**EXAMPLES[operation])), keys_of(operation))

    def test_the_response_tells_credits_cache_and_source(self) -> None:
        with Sightline() as client:
            client.registration.domain("acme-widgets.com")
            answer = client.registration.domain.with_response("acme-widgets.com")
            self.assertEqual((answer.cache, answer.credits_charged, answer.source), ("hit", 0, "registration/rdap"))
            fresh = client.registration.domain.with_response("acme-widgets.com", no_cache=True)
            self.assertEqual((fresh.cache, fresh.credits_charged), ("miss", 1))
            self.assertIsNotNone(fresh.receipt)

    def test_errors_have_the_class_of_their_code(self) -> None:
        with Sightline() as client:
            with self.assertRaises(sightline.InvalidRequestError) as raised:
                client.registration.domain("no domain")
            self.assertEqual((raised.exception.code, raised.exception.status, raised.exception.charged), ("INVALID_REQUEST", 400, 0))
            with self.assertRaises(sightline.InsufficientCreditsError):
                client.searchengine.serp("dear", depth=100, max_credits=1)
            for wrong in ("", ".", ".."):
                with self.assertRaises(sightline.InvalidRequestError):
                    client.registration.domain(wrong)
        with Sightline(api_key="sl_wrong") as client, self.assertRaises(sightline.UnauthorizedError):
            client.account.get()

    def test_pages_and_all_entries(self) -> None:
        with Sightline() as client:
            first, second = itertools.islice(client.forum.community.pages("acmewidgets"), 2)
            ids = [post["postId"] for page in (first, second) for post in page["posts"]]
            self.assertEqual(len(ids), len(set(ids)))
            some = list(client.forum.community.all("acmewidgets", limit_total=len(first["posts"]) + 1))
            self.assertEqual([post["postId"] for post in some], ids[: len(some)])
            self.assertEqual(list(client.forum.community.all("acmewidgets", limit_total=0)), [])

    def test_the_account(self) -> None:
        with Sightline() as client:
            before = client.account.get()["credits"]["balance"]
            self.assertIsInstance(before, int)
            kinds = {entry["kind"] for entry in client.account.ledger.all(limit_total=3)}
            self.assertTrue(kinds)
            answer = client.registration.domain.with_response("acme-widgets.com")
            self.assertIsNotNone(client.account.request(answer.request_id or "")["requestId"])

    def test_a_list_becomes_watches(self) -> None:
        with Sightline() as client:
            body: generated.NewWatchList = {
                "operation": "registration",
                "lines": "Domain Name,Renewal\nacme-lists.com,2027\nacme lists.com,2027\nACME-lists.com,2028\n",
                "every": "7d",
                "skipInvalid": True,
            }
            said = client.account.watch_import(body)
            self.assertEqual([(each["line"], each["costPerMonth"], each["watchId"]) for each in said["watches"]], [(2, 9, None)])
            self.assertEqual([(each["line"], each["reason"]) for each in said["leftOut"]], [(3, "unreadable"), (4, "repeated")])
            self.assertEqual((said["made"], said["creditsPerMonth"]), (False, 9))
            [made] = client.account.watch_import({**body, "make": True})["watches"]
            self.assertEqual(client.account.watch(made["watchId"])["parameters"], {"domain": "acme-lists.com"})
            client.account.watch_delete(made["watchId"])

    def test_a_watch_is_made_checked_changed_and_deleted(self) -> None:
        new: generated.NewWatch = {
            "operation": "registration",
            "parameters": {"domain": "acme-widgets.com"},
            "every": "1d",
            "creditsPerMonth": 40,
        }
        with Sightline() as client:
            watch = client.account.watch_create(new)
            try:
                self.assertEqual((watch["operation"], watch["every"], watch["paused"]), ("registration", "1d", False))
                self.assertEqual(client.account.watch_run(watch["watchId"])["outcome"], "first")
                self.assertEqual(client.account.watch_run(watch["watchId"])["outcome"], "same")
                edited = client.account.watch_edit(watch["watchId"], {"name": "ours", "paused": True})
                self.assertEqual((edited["name"], edited["paused"]), ("ours", True))
                self.assertIsNone(client.account.watch_edit(watch["watchId"], {"name": None})["name"])
                self.assertIn(watch["watchId"], [each["watchId"] for each in client.account.watches.all()])
                with self.assertRaises(sightline.InvalidRequestError) as raised:
                    client.account.watch_create({**new, "creditsPerMonth": 0})
                self.assertIn("creditsPerMonth", raised.exception.message)
            finally:
                self.assertIsNone(client.account.watch_delete(watch["watchId"]))
            with self.assertRaises(sightline.NotFoundError):
                client.account.watch(watch["watchId"])

    def test_an_access_token_instead_of_a_key_is_fetched_once(self) -> None:
        oauth = OAuthClient(os.environ["SIGHTLINE_CLIENT_ID"], os.environ["SIGHTLINE_CLIENT_SECRET"])
        with Sightline(oauth=oauth) as client:
            self.assertEqual(client.registration.domain("acme-widgets.com")["domain"], "acme-widgets.com")
        with Sightline(oauth=OAuthClient(oauth.client_id, "wrong-secret"), max_retries=0) as client:
            with self.assertRaises(sightline.UnauthorizedError) as raised:
                client.registration.domain("acme-widgets.com")
            self.assertNotIn("wrong-secret", str(raised.exception) + repr(client) + repr(oauth))

    def test_no_secret_in_reprs_and_errors(self) -> None:
        client = Sightline(api_key="sl_a_secret_key")
        self.assertNotIn("secret", repr(client) + repr(OAuthClient("id", "a-secret")))
        with self.assertRaises(ValueError) as raised:
            Sightline(api_key="sl_sécret")
        self.assertNotIn("cret", str(raised.exception).replace("credentials", ""))


class Faults(unittest.TestCase):
    def test_faults_between_client_and_service_end_in_an_answer_or_an_error_and_never_in_two_charges(self) -> None:
        chance = random.Random(int(os.environ.get("SIGHTLINE_TEST_SEED", "7")))
        quick = [fault for fault in FAULTS if fault not in ("silence", "drip")]
        proxy = FaultProxy(URL, lambda: chance.choice(quick) if chance.random() < 0.5 else "none")
        self.addCleanup(proxy.close)
        with Sightline() as plain, Sightline(proxy.url, max_retries=3, timeout=60) as client:
            before = plain.account.get()["credits"]["balance"]
            asked = 0
            for number in range(30):
                try:
                    client.registration.domain(f"python-{number}.com")
                except SightlineError as error:
                    self.assertIn(error.code, ("CONNECTION_FAILED", "UNEXPECTED_ANSWER", "RATE_LIMITED", "OVERLOADED"))
                asked += 1
            after = plain.account.get()["credits"]["balance"]
        self.assertLessEqual(before - after, asked)
        self.assertGreater(sum(count for fault, count in proxy.counts.items() if fault != "none"), 10)

    def test_the_time_limit_holds_where_the_service_is_silent_or_sends_byte_by_byte(self) -> None:
        for fault in ("silence", "drip"):
            with self.subTest(fault):
                proxy = FaultProxy(URL, lambda fault=fault: fault)
                self.addCleanup(proxy.close)
                with Sightline(proxy.url, timeout=0.5) as client:
                    with self.assertRaises(SightlineError) as raised:
                        client.registration.domain("acme-widgets.com")
                self.assertEqual((raised.exception.code, raised.exception.charged), ("DEADLINE_EXCEEDED", None))

    def test_a_service_that_falls_silent_on_an_open_connection_is_asked_once_in_the_time_of_the_call(self) -> None:
        asked: list[str] = []

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                pass

            def do_GET(self) -> None:
                asked.append(self.path)
                if len(asked) > 1:
                    silence.wait()
                    return
                self.send_response(200)
                self.send_header("x-request-id", "r")
                self.send_header("content-length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

        silence = threading.Event()
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.addCleanup(silence.set)
        with Sightline(f"http://127.0.0.1:{server.server_port}") as client:
            client.account.get()
            with self.assertRaises(SightlineError) as raised:
                client.account.get(timeout=0.5)
        self.assertEqual((raised.exception.code, len(asked)), ("DEADLINE_EXCEEDED", 2))

    def test_retry_after_beyond_the_time_limit_ends_the_call_at_once(self) -> None:
        calls: list[str] = []
        base = serve(self, lambda path: (calls.append(path), (503, {"retry-after": "600"}, error("UNAVAILABLE")))[1])
        with Sightline(base, timeout=30) as client, self.assertRaises(sightline.UnavailableError) as raised:
            client.account.get()
        self.assertEqual((len(calls), raised.exception.retry_after, raised.exception.retryable), (1, 600.0, True))

    def test_codes_that_are_not_retryable_are_asked_once(self) -> None:
        for code, status in (("UPSTREAM_BLOCKED", 502), ("UPSTREAM_CHANGED", 502), ("UPSTREAM_FAILED", 502), ("NOT_FOUND", 404)):
            calls: list[str] = []
            base = serve(self, lambda path, code=code, status=status: (calls.append(path), (status, {}, error(code)))[1])
            with Sightline(base) as client, self.assertRaises(SightlineError) as raised:
                client.account.get()
            self.assertEqual((raised.exception.code, len(calls)), (code, 1))

    def test_what_changes_something_is_sent_once(self) -> None:
        calls: list[str] = []
        base = serve(self, lambda path: (calls.append(path), (503, {"retry-after": "0"}, error("UNAVAILABLE")))[1])
        with Sightline(base) as client:
            with self.assertRaises(sightline.UnavailableError):
                client.account.watch_run("wat_5f0c2d")
            self.assertEqual(calls, ["/v1/account/watches/wat_5f0c2d/run"])
            with self.assertRaises(sightline.UnavailableError):
                client.account.watches(max_retries=2)
        self.assertEqual(len(calls), 4)

    def test_an_answer_that_is_too_large_is_not_read(self) -> None:
        bomb = gzip.compress(b" " * 50_000_000)
        base = serve(self, lambda path: (200, {"content-encoding": "gzip"}, bomb))
        with Sightline(base, max_bytes=1_000_000) as client, self.assertRaises(SightlineError) as raised:
            client.account.get()
        self.assertEqual(raised.exception.code, "ANSWER_TOO_LARGE")

    def test_a_page_that_leads_to_itself_ends_with_an_error(self) -> None:
        page = json.dumps({"posts": [], "hasMore": True, "after": "t3_a"}).encode()
        base = serve(self, lambda path: (200, {}, page))
        with Sightline(base) as client, self.assertRaises(SightlineError) as raised:
            list(client.forum.community.all("acmewidgets"))
        self.assertEqual(raised.exception.code, "CURSOR_REPEATED")


class Asynchronous(unittest.IsolatedAsyncioTestCase):
    async def test_calls_run_at_once_and_pages_iterate(self) -> None:
        async with AsyncSightline() as client:
            names = [f"async-{number}.com" for number in range(12)]
            answers = await asyncio.gather(*(client.registration.domain(name) for name in names))
            self.assertEqual([answer["domain"] for answer in answers], names)
            posts = [post async for post in client.forum.community.all("acmewidgets", limit_total=3)]
            self.assertEqual(len(posts), 3)
            answer = await client.registration.domain.with_response("acme-widgets.com")
            self.assertEqual(answer.data["domain"], "acme-widgets.com")

    async def test_a_cancelled_task_ends_its_exchange(self) -> None:
        proxy = FaultProxy(URL, lambda: "silence")
        self.addCleanup(proxy.close)
        async with AsyncSightline(proxy.url, timeout=600, concurrency=1) as client:
            task = asyncio.ensure_future(client.registration.domain("acme-widgets.com"))
            while not proxy.counts:
                await asyncio.sleep(0.01)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            # leaving the client waits for its threads: it would take ten minutes if the exchange went on


def error(code: str) -> bytes:
    return json.dumps({"error": {"code": code, "message": "As told."}}).encode()


def serve(test: unittest.TestCase, answer: typing.Callable[[str], tuple[int, dict[str, str], bytes]]) -> str:
    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def do_POST(self) -> None:
            self.do_GET()

        def do_GET(self) -> None:
            status, headers, body = answer(self.path)
            self.send_response(status)
            for name, value in {"x-request-id": "r", "content-length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            try:
                self.wfile.write(body)
            except OSError:
                pass  # the client has closed the connection

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    test.addCleanup(server.server_close)
    test.addCleanup(server.shutdown)
    return f"http://127.0.0.1:{server.server_port}"


class Misspelt(unittest.TestCase):
    def test_an_option_that_there_is_not_is_refused_and_nothing_is_sent(self) -> None:
        asked: list[str] = []

        class Counting(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append(self.path)
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Counting)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        wrong = ["contry", "max_credit", "maxCredits", "no_cach", "timeot", "requestid", "max_ages", "stale", "lang", "x"]
        names = ["serp", "app-reviews", "registration", "forum-search"]
        with Sightline(f"http://127.0.0.1:{server.server_address[1]}", "sl_key_of_a_test") as client:
            for operation in names:
                for option in wrong:
                    for call in (LOOKUPS[operation](client), LOOKUPS[operation](client).with_response):
                        with self.assertRaises(sightline.InvalidRequestError) as raised:
                            call(**EXAMPLES[operation], **{option: "DE"})
                        self.assertEqual(raised.exception.code, "INVALID_REQUEST")
                        self.assertIn(f"{operation} has no option {option}: ", str(raised.exception))
                    with self.assertRaises(SightlineError) as raised:
                        client.lookup(operation, **{option: "DE"})
                    self.assertIn(f"{operation} has no parameter {option}: ", str(raised.exception))
            values: dict[str, list[object]] = {"timeout": [0, -1, "5", float("nan"), float("inf"), True], "max_retries": [-1, 1.5, "2", None]}
            for option, wrong_values in values.items():
                for value in wrong_values:
                    with self.assertRaises(sightline.InvalidRequestError) as raised:
                        client.searchengine.serp("a", **{option: value})  # type: ignore[arg-type]
                    self.assertIn(f"{option} is {value!r}, but it must be a ", str(raised.exception))
                    for made in (Sightline, AsyncSightline):
                        with self.assertRaises(ValueError):
                            made(**{option: value})  # type: ignore[arg-type]
            with self.assertRaises(sightline.InvalidRequestError) as raised:
                client.searchengine.serp("a", locatio="DE")  # type: ignore[call-arg]
            self.assertIn("do you mean location? Nothing was sent.", str(raised.exception))

            async def later() -> None:
                async with AsyncSightline(f"http://127.0.0.1:{server.server_address[1]}", "sl_key_of_a_test") as own:
                    await own.searchengine.serp("a", contry="DE")  # type: ignore[call-arg]

            with self.assertRaises(SightlineError):
                asyncio.run(later())
        self.assertEqual(asked, [])

if __name__ == "__main__":
    unittest.main()
