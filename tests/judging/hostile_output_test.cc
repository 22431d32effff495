// What a solution may say to a checker and to an interactor that read as testlib does: things of
// another type, too much, without end, and on stderr.
#include "tests/judging/fixture.h"

namespace assay::test {
namespace {

using judge::JudgeResult;
using std::string;

// Exactly one number, 42. Code 2 and a sentence for what is no number, or more than one. It reads
// as much as there is, and never keeps it.
const char* const kReader = R"(
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static FILE* from;
static char word[32];
static int token(void) {  // its whole length, of which the beginning is kept
  int c = getc(from), size = 0;
  while (c != EOF && isspace(c)) c = getc(from);
  memset(word, 0, sizeof word);
  for (; c != EOF && !isspace(c); c = getc(from), ++size)
    if (size < (int)sizeof word - 1) word[size] = (char)c;
  return size;
}
static int quit(int code, const char* what) {
  fprintf(stderr, "%s, but \"%s\" found\n", what, word);
  return code;
}
static int judge(void) {
  int size = token();
  char* end = word;
  long number = strtol(word, &end, 10);
  if (size == 0) return quit(2, "wrong output format Expected integer");
  if (size > 10 || *end) return quit(2, "wrong output format Expected integer");
  if (token()) return quit(2, "wrong output format Expected EOF");
  return number == 42 ? quit(0, "ok") : quit(1, "wrong answer Expected 42");
}
)";
const string kChecker = string(kReader) +
                        "int main(int count, char** names) { from = fopen(names[2], \"r\"); "
                        "return judge(); }\n";
// It tells the solution its input, which is what the solution is to do.
const string kInteractor = string(kReader) +
                           "int main(int count, char** names) {\n"
                           "  FILE* input = fopen(names[1], \"r\");\n"
                           "  for (int c; (c = getc(input)) != EOF;) putchar(c);\n"
                           "  fflush(stdout);\n  from = stdin;\n  return judge();\n}\n";

const char* const kWriter = R"(
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static char many[1 << 16];
static void flood(int fd, long mb, const char* with) {
  for (unsigned i = 0; i < sizeof many; ++i) many[i] = with[i % strlen(with)];
  for (long i = 0; mb < 0 || i < mb * 16; ++i)
    if (write(fd, many, sizeof many) < 0) return;
}
static void say(const char* text) { if (write(1, text, strlen(text)) < 0) return; }
int main(void) {
  char wish[64] = "";
  if (!fgets(wish, sizeof wish, stdin)) return 3;
  wish[strcspn(wish, "\n")] = 0;
)";

struct Said {
  string name{};
  string statement{};
  string checked{}, talked{};  // letters; with a blank: either of them
};

const std::vector<Said> kSaid = {
    {"TheAnswer", "say(\"42\\n\");", "AC", "AC"},
    {"AWord", "say(\"forty-two\\n\");", "PE", "PE"},
    {"ANumberWithATail", "say(\"42x\\n\");", "PE", "PE"},
    {"AFraction", "say(\"42.0\\n\");", "PE", "PE"},
    {"AnOverflow", "say(\"99999999999999999999999\\n\");", "PE", "PE"},
    {"TwoNumbers", "say(\"42 42\\n\");", "PE", "PE"},
    {"AZeroByte", "write(1, \"4\\0002\\n\", 4);", "WA", "WA"},
    {"Nothing", ";", "PE", "PE"},
    {"AWordOfMegabytes", "flood(1, 20, \"4\");", "PE", "PE"},
    {"MegabytesOfAnswers", "flood(1, 20, \"42 \");", "PE", "PE"},
    {"WordsWithoutEnd", "flood(1, -1, \"4\");", "OLE", "OLE"},
    // Whichever comes first: its no to the second one, or the limit.
    {"AnswersWithoutEnd", "flood(1, -1, \"42 \");", "OLE", "PE OLE"},
    {"MegabytesOfErrors", "flood(2, 20, \"e\"); say(\"42\\n\");", "AC", "AC"},
    {"ErrorsWithoutEnd", "say(\"42\\n\"); flood(2, -1, \"e\");", "TLE", "TLE"},
};

class HostileOutputTest : public JudgingTest {
 protected:
  static judge::Submission solution() {
    string source = kWriter;
    for (const Said& said : kSaid)
      source += "  if (!strcmp(wish, \"" + said.name + "\")) { " + said.statement + " }\n";
    return in_c(source + "  return 0;\n}\n");
  }
  static judge::Problem problem() {
    judge::Problem made = problem_of({});
    made.limits = {
        .cpu_time = scaled(500ms), .wall_time = scaled(20s), .memory = 64_MiB, .output = 32_MiB};
    for (const Said& said : kSaid)
      made.tests.push_back(
          {.id = said.name, .input = {.text = said.name + "\n"}, .answer = {.text = "42"}});
    return made;
  }
  void expect_letters(const judge::Problem& problem, string Said::* wanted) {
    const JudgeResult result = judge(problem, solution());
    ASSERT_EQ(result.tests.size(), kSaid.size()) << result.message;
    for (std::size_t at = 0; at < kSaid.size(); ++at) {
      const judge::TestResult& test = result.tests[at];
      const string letters = " " + kSaid[at].*wanted + " ";
      EXPECT_TRUE(letters.contains(" " + test.letters + " "))
          << test.id << ": " << test.letters << ", not" << letters << test.message;
      for (const string* text : {&test.message, &test.output, &test.errors, &test.checker_log})
        EXPECT_LE(text->size(), judge::kLogLimit.count + 200) << test.id;
      EXPECT_LE(test.memory, 64_MiB) << test.id;
    }
  }
};

TEST_F(HostileOutputTest, DoesNotHurtAChecker) {
  NEEDS_METERS();
  judge::Problem checked = problem();
  checked.checker = judge::CheckerProgram{.source = in_c(kChecker)};
  expect_letters(checked, &Said::checked);
}

TEST_F(HostileOutputTest, DoesNotHurtAnInteractor) {
  NEEDS_METERS();
  judge::Problem talk = problem();
  talk.kind = judge::ProblemKind::Interactive;
  talk.interactor.emplace().source = in_c(kInteractor);
  expect_letters(talk, &Said::talked);
}

}  // namespace
}  // namespace assay::test
