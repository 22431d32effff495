"""What assayd is asked in one life while a system call fails, and how each answer is judged."""
import asyncio, itertools, json, pathlib, sys

for room in ("load", "conformance"):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / room))
import protobuf  # noqa: E402
from kills import our_failure  # noqa: E402
from noj_problems import zipped  # noqa: E402
from orders import command, compare  # noqa: E402
from restart import KINDS, LIMITS, TESTS, misjudged  # noqa: E402
from wires import BINARY, CLOSE, Line, Socket, Wrong, frame  # noqa: E402

PACKAGE = {"problem.toml": """checker = { source = "check.py", protocol = "exitcode" }
limits = { cpuTimeMs = 2000, wallTimeMs = 20000 }
[[tests]]
pattern = "data/*.in"
""", "check.py": "import sys\nsys.exit(0 if open(sys.argv[2]).read().split() == open(sys.argv[3]).read().split() else 1)\n",
           "data/1.in": "20 22\n", "data/1.ans": "42\n"}
DIALOGUE = {"problem.toml": """type = "interactive"
interactor = { source = "ask.py", protocol = "testlib" }
limits = { cpuTimeMs = 2000, wallTimeMs = 20000 }
[[tests]]
pattern = "data/*.in"
""", "ask.py": """import sys
for n in range(3):
    print(n, n + 20, flush=True)
    if input() != str(2 * n + 20):
        sys.exit(1)
""", "data/1.in": "3\n", "data/1.ans": "\n"}
TALKS = (("while True:\n    a, b = map(int, input().split())\n    print(a + b, flush=True)\n    if a == 2: break\n", "AC"),
         ("a, b = map(int, input().split())\nprint(a - b, flush=True)\ninput()\n", "WA"))
FRESH = itertools.count(1)  # names that no life had before


def refusal(answer):
    """A 500 or a 503 that says why, as (how it went, what is wrong); nothing if it is something else."""
    if answer.status not in (500, 503):
        return None
    told = answer.json()
    said = told.get("error", {}).get("message") if isinstance(told, dict) else told
    return ("our failure", said) if said else ("wrong", repr(answer))


def said_of_run(result, files):
    if result["status"] in ("Internal Error", "File Error") and result.get("error"):
        return "our failure", result["error"]
    compare({"files": {}, **result}, status="Accepted", files=files)
    return "right", ""


class Life:
    """What is asked in one life. Each question gives (how it went, what is wrong or why it failed)."""

    def __init__(self, port, grpc=0):
        self.port, self.grpc, self.name = port, grpc, f"n{next(FRESH)}"
        self.asked, self.promised = {}, {}  # {id: verdict}

    async def ask(self, method, target, body=b""):
        line = Line(self.port)
        try:
            return await line.ask(method, target, body)
        finally:
            line.close()

    async def run(self):
        wish = command("/bin/cat", "a", "-", stdin="said", copyIn={"a": {"content": "put "}})
        answer = await self.ask("POST", "/run", json.dumps({"cmd": [wish]}).encode())
        if refused := refusal(answer):
            return refused
        if answer.status != 200:
            return "wrong", repr(answer)
        [result] = answer.json()
        return said_of_run(result, {"stdout": "put said", "stderr": ""})

    async def judge(self, kind=KINDS[0], **problem):
        source, verdict = kind
        problem = problem or {"problem": {"limits": LIMITS, "tests": TESTS}}
        body = json.dumps({"language": "python", "source": source, "wait": True, **problem}).encode()
        answer = await self.ask("POST", "/v1/submissions", body)
        if refused := refusal(answer):
            return refused
        told = answer.json()
        if answer.status != 200 or misjudged(told, verdict, our_failure):
            return "wrong", f"answered {answer!r}"
        return ("our failure", repr(answer)) if our_failure(told) else ("right", "")

    async def package(self, files=PACKAGE):
        answer = await self.ask("PUT", f"/v1/problems/{self.name}", zipped(*files.items()))
        if refused := refusal(answer):
            return refused
        if answer.status not in (200, 201) or answer.json()["tests"] != 1:
            return "wrong", f"answered {answer!r}"
        return "right", ""

    async def judge_package(self):
        return await self.judge(problemId=self.name)

    async def dialogue(self):
        return await self.package(DIALOGUE)

    async def talk_well(self):
        return await self.judge(TALKS[0], problemId=self.name)

    async def talk_badly(self):
        return await self.judge(TALKS[1], problemId=self.name)

    async def stream(self):
        """What goes in comes out, all of it, and the program ends when its input does."""
        try:
            socket = await Socket(self.port).join("/stream")
        except Wrong as problem:
            return ("our failure" if " 500 " in str(problem) or " 503 " in str(problem) else "wrong"), str(problem)
        try:
            return await self.talk(socket)
        finally:
            socket.close()

    async def execute(self):
        """gRPC's Exec: UNAVAILABLE, INTERNAL and an answer with an error are ours."""
        memory, out = [(2, [(1, "said")])], [(4, [(1, "stdout"), (2, 1000)])]
        wish = [(1, "/bin/cat"), (3, memory), (3, out), (4, 10**10), (5, 2 * 10**10), (6, 1 << 28), (7, 50)]
        try:
            status, why, answers = await asyncio.to_thread(protobuf.call, self.grpc, "Exec", protobuf.encode((1, "mine"), (2, wish)))
        except AssertionError as problem:
            raise ConnectionError(str(problem)) from None
        if status != 0:
            return ("our failure" if status in (8, 13, 14) and why else "wrong"), f"status {status}: {why}"
        if error := answers[0].get(3):
            return "our failure", str(error)
        result = protobuf.decode(answers[0][2][0])
        if error := result.get(3):
            return "our failure", str(error)
        right = result[1] == [1] and protobuf.text_map(result[6]) == {"stdout": b"said"}
        return ("right", "") if right else ("wrong", f"{result}")

    @staticmethod
    async def talk(socket):
        wish = command("/bin/cat") | {"files": [{"streamIn": True}, {"streamOut": True}, {"streamOut": True}]}
        for message in (b"\1" + json.dumps({"requestId": "s", "cmd": [wish]}).encode(), b"\3\0there ", b"\3\0and back", b"\5\0"):
            await socket.send(frame(message, BINARY))
        heard = b""
        while True:
            kind, message = await socket.hear()
            if kind == CLOSE:
                code, why = int.from_bytes(message[:2], "big"), message[2:].decode()
                return ("our failure" if code in (1001, 1011, 1013) and why else "wrong"), f"closed with {code}: {why!r}"
            if message[:1] == b"\1":
                break
            heard += message[2:]
        told = json.loads(message[1:])
        if told.get("error"):
            return "our failure", told["error"]
        [result] = told["results"]
        said = said_of_run(result, {})
        return ("wrong", f"only {heard!r} came back, and it is {result}") if said[0] == "right" and heard != b"there and back" else said

    async def promise(self, kind=0):
        """Is accepted, and not waited for."""
        source, verdict = KINDS[kind]
        number = f"{self.name}-{kind}"
        body = json.dumps({"submissionId": number, "language": "python", "source": source,
                           "problem": {"limits": LIMITS, "tests": TESTS}}).encode()
        self.asked[number] = verdict
        answer = await self.ask("POST", "/v1/submissions", body)
        if refused := refusal(answer):
            return refused
        if answer.status not in (200, 202) or misjudged(answer.json(), verdict, our_failure):
            return "wrong", f"answered {answer!r}"
        self.promised[number] = verdict
        return "right", ""

    async def promise_wa(self):
        return await self.promise(1)

    async def promise_re(self):
        return await self.promise(2)

    async def look(self):
        """Until all are judged."""
        for number, verdict in self.promised.items():
            while True:
                answer = await self.ask("GET", f"/v1/submissions/{number}")
                if refused := refusal(answer):
                    return refused
                if answer.status != 200 or misjudged(told := answer.json(), verdict, our_failure):
                    return "wrong", f"{number} is {answer!r}"
                if told["status"] in ("Finished", "Failed"):
                    break
                await asyncio.sleep(0.01)
        return "right", ""


STORIES = {  # name: (what is asked, in turn; its part of the faults). The last of "kept" is never waited for.
    "served": ((Life.run, Life.judge, Life.run), 5),
    "package": ((Life.package, Life.judge_package), 3),
    "dialogue": ((Life.dialogue, Life.talk_well, Life.talk_badly), 4),
    "stream": ((Life.stream, Life.stream), 3),
    "grpc": ((Life.execute, Life.execute), 2),
    "kept": ((Life.promise, Life.promise_wa, Life.look, Life.promise_re), 5),
}
