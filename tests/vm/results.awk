# Reads the log of a Google Test program: prints one line for each test: "passed NAME", "failed NAME: REASON" or
# "skipped NAME: REASON".
# Given: room (the prefix ctest gives names), status (the program's exit status), ended (the same in words).
# A mark may follow text that a test left without a newline, so marks are looked for anywhere in a line.

function name_after(mark,    at, rest) {
  at = index($0, mark)
  if (!at) return ""
  rest = substr($0, at + length(mark))
  sub(/ \([0-9]+ ms\)$/, "", rest)
  sub(/, where .*/, "", rest)  # the value of a parameter
  return rest
}

function ends_as(mark) { return running != "" && name_after(mark) == running }

function and_also(text) { return text == "" ? "" : "; " text }

function report(kind) {
  print kind " " room "." running ": " reason
  if (kind == "failed") failed++
  running = ""
}

/^\[==========\] Running / { announced = $3; begun = 0; finished = 0; next }  # more than once with --gtest_repeat
finished { next }
/^\[==========\] .* ran\./ { finished = 1; next }

name_after("[ RUN      ] ") != "" { running = name_after("[ RUN      ] "); reason = ""; lines = 0; begun++; next }
ends_as("[       OK ] ") { print "passed " room "." running; running = ""; next }
ends_as("[  FAILED  ] ") { report("failed"); next }
ends_as("[  SKIPPED ] ") { report("skipped"); next }

# The reason is where it failed first, and a few lines of what is said there. Outside a test, a suite's set-up failed.
/^\[/ { lines = 9 }
/: (Failure|Skipped)$/ && running != "" && lines == 0 { reason = $0; lines = 1 }
/: Failure$/ && running == "" && suites == "" { reason = $0; lines = 1 }
NF && lines > 0 && lines < 6 {
  sub(/^ +/, "")
  if (lines > 1) reason = reason (lines == 2 ? ": " : " | ") $0
  if (running == "") suites = reason
  lines++
}

END {
  left = announced > begun ? "; " (announced - begun) " tests not run" : ""
  # A test that began and did not end is the one the program ended in.
  if (running != "") print "failed " room "." running ": the program " ended " in it" left and_also(reason)
  else if (!finished) print "failed " room ": the program " ended " outside any test" left
  else if (status != 0 && !failed) print "failed " room ": no test failed, but the program " ended and_also(suites)
}
