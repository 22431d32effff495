#!/usr/bin/env python3
"""An evaluator that holds its solution: 'assay box' runs it, and between two steps we look at what it has used.

The solution gets N and N numbers, says "ready", and then answers the sum of each range it is asked for. Preparing may take long; answering
may not, and what it keeps between the two is limited: things that a limit on the whole run cannot say.

usage: evaluate.py ASSAY SOLUTION...        prints one line for each
       evaluate.py ASSAY --check            evaluates all of solutions/ and compares with what solutions/expected.txt says
"""
import os, pathlib, random, select, subprocess, sys, tempfile

HERE = pathlib.Path(__file__).resolve().parent
LANGUAGES = {".c": "c", ".cpp": "cpp", ".py": "python3"}
NUMBERS, QUERIES = 20000, 200
READY_S, ANSWER_S = 10, 2        # wall time: whoever says nothing for so long is given up
ANSWERING_US = 100_000           # cpu time of all answers together
KEPT_BYTES = 30_000_000          # at the checkpoint between the two steps
LONGEST_LINE = 100


class Failed(Exception):
    pass


class Process:
    """The client's side of the protocol: a byte into 'wait', three lines out of 'status'."""

    def __init__(self, assay, source, directory):
        self.directory = pathlib.Path(directory)
        self.command = subprocess.Popen(
            [assay, "box", "--dir", directory, "--language", LANGUAGES[source.suffix], "--memory", "256MiB", "--cpu", "5s",
             "--wall", "60s", "--stderr", "/dev/null", "--", str(source)], stdout=subprocess.PIPE, text=True)
        if not self.command.stdout.readline():  # the directory's name, when the pipes are there
            raise SystemExit(self.command.wait())
        self.down = open(self.directory / "downward", "wb", buffering=0)
        self.up = os.open(self.directory / "upward", os.O_RDONLY)
        self.unread = b""

    def wait(self, byte="1"):
        (self.directory / "wait").write_text(byte)
        cpu, memory, text = (self.directory / "status").read_text().splitlines()
        return int(cpu), int(memory), text

    def send(self, text):
        self.down.write(text.encode())

    def receive(self, seconds):
        while b"\n" not in self.unread:
            if len(self.unread) > LONGEST_LINE:
                raise Failed("sent invalid data")
            if not select.select([self.up], [], [], seconds)[0]:
                raise Failed(f"stopped sending data (timeout expired, process {self.wait()[2]})")
            piece = os.read(self.up, 4096)
            if not piece:
                raise Failed(f"stopped sending data (process {self.wait()[2]})")
            self.unread += piece
        line, self.unread = self.unread.split(b"\n", 1)
        return line.decode("ascii", "replace")

    def terminate(self):
        text = self.wait("0")[2]
        self.down.close()
        os.close(self.up)
        self.command.wait()
        return text


def converse(process):
    rng = random.Random(1)
    numbers = [rng.randrange(1000) for _ in range(NUMBERS)]
    process.send(f"{NUMBERS}\n" + " ".join(map(str, numbers)) + "\n")
    if process.receive(READY_S) != "ready":
        raise Failed("sent invalid data")
    before, kept, _ = process.wait()
    if kept > KEPT_BYTES:
        raise Failed("keeps too much memory")
    for _ in range(QUERIES):
        first, last = sorted(rng.sample(range(NUMBERS), 2))
        process.send(f"{first} {last}\n")
        answer = process.receive(ANSWER_S)
        if not answer.isascii() or not answer.isdigit():
            raise Failed("sent invalid data")
        if int(answer) != sum(numbers[first:last]):
            raise Failed("wrong answer")
    after, _, _ = process.wait()
    if after - before > ANSWERING_US:
        raise Failed("answers too slowly")
    return "accepted"


def evaluate(assay, source):
    with tempfile.TemporaryDirectory() as directory:
        process = Process(assay, source, directory)
        try:
            return converse(process)
        except Failed as why:
            return str(why)
        finally:
            process.terminate()


def check(assay):
    wrong = 0
    for line in (HERE / "solutions/expected.txt").read_text().splitlines():
        name, expected = line.split(maxsplit=1)
        got = evaluate(assay, HERE / "solutions" / name)
        wrong += got != expected
        print(f"{'ok   ' if got == expected else 'WRONG'} {name}: {got}")
    return 1 if wrong else 0


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    if sys.argv[2] == "--check" and os.environ.get("ASSAY_TEST_DEGRADED"):
        print("skipped: its boxes need cgroups")
        return 77
    if sys.argv[2] == "--check":
        return check(sys.argv[1])
    for name in sys.argv[2:]:
        print(f"{name}: {evaluate(sys.argv[1], pathlib.Path(name).resolve())}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
