# A teacher's program of Normal-OJ: "? x" is answered with <, > or =, and "! x" ends the game.
import os
import sys

QUESTIONS = 25


def say(words):
    try:
        os.write(1, f"{words}\n".encode())
    except BrokenPipeError:
        pass  # it has gone: what it said before counts


def end(status, message):
    with open("Check_Result", "w") as file:
        file.write(f"STATUS: {status}\nMESSAGE: {message}\n")
    os.close(1)
    while os.read(0, 65536):  # it is heard to its end
        pass
    os._exit(0)


with open(os.environ["CASE_PATH"]) as file:
    most, secret = map(int, file.read().split())
say(most)
for asked in range(QUESTIONS + 1):
    words = sys.stdin.readline().split()
    if len(words) != 2 or words[0] not in "?!" or not words[1].lstrip("-").isdigit():
        end("WA", f"not a question: {' '.join(words)[:40]!r}")
    guess = int(words[1])
    if words[0] == "!":
        end("AC" if guess == secret else "WA", f"said {guess} after {asked} questions")
    say("<" if secret < guess else ">" if secret > guess else "=")
end("WA", f"asked more than {QUESTIONS} questions")
