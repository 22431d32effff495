#!/usr/bin/env python3
"""Results that assayd sends to whom a submitter names: signed, tried again, only where allowed, and never in the way.

usage: webhook.py BUILD_DIR
"""
import asyncio, contextlib, hashlib, hmac, http.server, json, queue, re, signal, subprocess, sys, threading, time

from host import Assayd, Report, needs_root
from wires import Line

SECRET = "a secret of the tests"


class Receiver(http.server.ThreadingHTTPServer):
    """Says to each path what it is told to; /hang answers when the receiver ends."""
    daemon_threads = True
    block_on_close = False

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Visit)
        self.heard, self.answers, self.over = queue.Queue(), {}, threading.Event()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def url(self, path):
        return f"http://127.0.0.1:{self.server_port}{path}"

    def next(self, patience=30):
        return self.heard.get(timeout=patience)

    def end(self):
        self.over.set()
        self.shutdown()
        self.server_close()


class Visit(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.heard.put((self.path, self.headers, body, time.monotonic()))
        if self.path.endswith("/hang"):
            self.server.over.wait()
            return
        status, fields = (self.server.answers.get(self.path) or [(200, {})]).pop(0)
        self.send_response(status)
        for name, value in (fields | {"Content-Length": "0"}).items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *_):
        pass


def order(webhook=None, **more):
    wish = {"language": "python3", "source": "print(sum(map(int, input().split())))",
            "problem": {"tests": [{"input": "1 2\n", "answer": "3\n"}]}, **more}
    return wish | ({"webhook": webhook} if webhook else {})


async def submit(port, wish):
    return await Line(port).ask("POST", "/v1/submissions", json.dumps(wish).encode())


def judged(port, wish, status=200):
    answer = asyncio.run(submit(port, wish | {"wait": True}))
    return answer.json() if answer.status == status else f"answered {answer!r}"


def wrong_signature(headers, body):
    stamp = headers["X-Assay-Timestamp"]
    made = hmac.new(SECRET.encode(), stamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    if headers["X-Assay-Signature"] != f"sha256={made}":
        return f"the signature is {headers['X-Assay-Signature']}, not sha256={made}"
    return "" if abs(int(stamp) - time.time()) < 60 else f"the timestamp is {stamp}"


def signed_result(server, receiver):
    result = judged(server.http, order(receiver.url("/ok/1?q=2"), submissionId="signed"))
    path, headers, body, _ = receiver.next()
    shown = asyncio.run(Line(server.http).ask("GET", "/v1/submissions/signed")).json()
    return [wrong_signature(headers, body),
            "" if path == "/ok/1?q=2" else f"sent to {path}",
            "" if headers["X-Assay-Submission"] == "signed" else "another X-Assay-Submission",
            "" if json.loads(body) == shown == result else f"sent {body[:300]!r} and shown {shown}",
            "" if result["verdict"] == "AC" else f"the verdict is {result}"]


def tried_again(server, receiver):
    receiver.answers["/ok/again"] = [(500, {}), (429, {}), (200, {})]
    judged(server.http, order(receiver.url("/ok/again"), submissionId="again"))
    visits = [receiver.next() for _ in range(3)]
    gaps = [after[3] - before[3] for before, after in zip(visits, visits[1:])]
    return [*(wrong_signature(headers, body) for _, headers, body, _ in visits),
            "" if gaps[0] >= 0.9 and gaps[1] >= 1.9 else f"tried again after {gaps} s",
            "" if len({body for _, _, body, _ in visits}) == 1 else "each time another body"]


def not_redirected(server, receiver):
    receiver.answers["/ok/moved"] = [(307, {"Location": receiver.url("/ok/elsewhere")})]
    judged(server.http, order(receiver.url("/ok/moved"), submissionId="moved"))
    visits = [receiver.next()[0]]
    judged(server.http, order(receiver.url("/ok/after"), submissionId="after"))
    visits.append(receiver.next()[0])
    return "" if visits == ["/ok/moved", "/ok/after"] else f"visits to {visits}"


def refused(server, receiver):
    base = receiver.url("")
    wrong = []
    for url in (base + "/other", base + "/okay", base + "/ok/../other", base + ".evil/ok/", "ftp://127.0.0.1/ok/",
                base.replace("127.0.0.1", "user:word@127.0.0.1") + "/ok/", base + "/ok/#x", base + "/ok/\n", "nonsense"):
        answer = asyncio.run(submit(server.http, order(url)))
        said = answer.json().get("error", {}).get("message", "") if answer.status == 400 else repr(answer)
        if not said.startswith("$.webhook: "):
            wrong.append(f"{url!r}: {answer.status} {said}")
    return wrong


def not_in_the_way(server, receiver):
    """Twenty results for somebody who never answers, and one for somebody who does."""
    begun = time.monotonic()
    for i in range(20):
        if not isinstance(judged(server.http, order(receiver.url("/ok/hang"), submissionId=f"hang-{i}")), dict):
            return "a judging was not answered"
    took = time.monotonic() - begun
    return "" if took < 60 else f"20 judgings took {took:.1f} s"


def ending(server):
    server.remember()
    begun = time.monotonic()
    server.process.send_signal(signal.SIGTERM)
    with contextlib.suppress(subprocess.TimeoutExpired):
        server.process.wait(timeout=15)
    took, log = time.monotonic() - begun, server.text()
    lost = {found for found in re.findall(r'"submission":"(hang-\d+)"', "".join(
        line for line in log.splitlines() if "result NOT sent" in line))}
    return [*server.stop(), "the secret is in the log" if SECRET in log else "",
            "" if took < 12 else f"it took {took:.1f} s",
            "" if len(lost) == 20 else f"of 20 results that were lost the log tells of {sorted(lost)}"]


def without_prefix(build):
    server = Assayd(build)
    try:
        server.await_ready()
        answer = asyncio.run(submit(server.http, order("http://127.0.0.1/")))
        maps = open(f"/proc/{server.people()['daemon']}/maps").read()
        return ["" if answer.status == 400 and "$.webhook: this server calls nobody" in answer.json()["error"]["message"]
                else f"answered {answer!r}",
                "libcurl is loaded though nobody may be called" if "libcurl" in maps else ""]
    finally:
        server.stop()


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    needs_root()
    report, receiver = Report(), Receiver()
    server = Assayd(sys.argv[1], ["-webhook-prefix", receiver.url("/ok"), "-webhook-secret", SECRET])
    try:
        server.await_ready()
        for name, check in {"a result is sent signed, and is what GET shows": signed_result,
                            "500 and 429 are tried again, later each time": tried_again,
                            "no redirect is followed": not_redirected,
                            "what is not allowed is 400 and named": refused,
                            "a receiver that never answers holds up no judging": not_in_the_way}.items():
            report.check(name, check(server, receiver))
        report.check("assayd ends in time with a receiver that hangs, tells what was lost, and leaves nothing", ending(server))
    finally:
        receiver.end()
        if server.process.poll() is None:
            server.stop()
    report.check("nobody is called without a prefix, and nothing is loaded for it", without_prefix(sys.argv[1]))
    report.end()


if __name__ == "__main__":
    main()
