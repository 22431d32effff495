// How much of problems is kept: what they count must be what they take.
#include "service/problems.h"

#include <gtest/gtest.h>

namespace assay::service {
namespace {

judge::Problem smallest() {
  judge::Problem problem;
  problem.tests.push_back({.id = "1"});
  return problem;
}

// Of 16 with a long text in them two have room. Whatever is not counted lets in all.
template <typename Change>
std::size_t taken(Change change) {
  Problems problems({.memory = 256_KiB});
  std::size_t count = 0;
  for (int i = 0; i < 16; ++i) {
    judge::Problem problem = smallest();
    change(problem, std::string(100'000, 'x'));
    const auto put = problems.put("p" + std::to_string(i), std::move(problem), "");
    if (put) ++count;
    EXPECT_TRUE(put || put.error().fault == Fault::Busy) << describe(put.error());
  }
  return count;
}

judge::Submission program(std::string content = "x") {
  return {.language = "python3", .sources = {{.name = "a.py", .content = std::move(content)}}};
}

// The flags granted to a problem, and the arguments of its programs, were free of charge.
TEST(Problems, CountEveryTextThatTheyKeep) {
  const auto many = [](const std::string& text) {
    return std::vector<std::string>(text.size() / 4000, text.substr(0, 4000));
  };
  using judge::Problem;
  EXPECT_EQ(taken([&](Problem& p, auto text) { p.granted_flags = many(text); }), 2U);
  EXPECT_EQ(taken([&](Problem& p, auto text) {
              p.checker = judge::CheckerProgram{.source = program(), .arguments = many(text)};
            }),
            2U);
  EXPECT_EQ(taken([&](Problem& p, auto text) {
              p.checker = judge::CheckerProgram{.source = program(text)};
            }),
            2U);
  EXPECT_EQ(taken([&](Problem& p, auto text) {
              p.kind = judge::ProblemKind::Interactive;
              p.interactor = judge::Interactor{.source = program(), .arguments = many(text)};
            }),
            2U);
  EXPECT_EQ(taken([&](Problem& p, auto text) {
              p.kind = judge::ProblemKind::Communication;
              p.manager = judge::Manager{.source = program(), .arguments = many(text)};
            }),
            2U);
  EXPECT_EQ(taken([&](Problem& p, auto text) {
              p.scorer = judge::ScorerProgram{.source = program(text)};
            }),
            2U);
  EXPECT_EQ(taken([](Problem& p, auto text) { p.input_file = text; }), 2U);
  EXPECT_EQ(taken([](Problem& p, auto text) { p.policy = text; }), 2U);
  EXPECT_EQ(taken([](Problem& p, auto text) { p.run_profiles["a"] = text; }), 2U);
  EXPECT_EQ(taken([](Problem& p, auto text) { p.tests[0].input.text = text; }), 2U);
  EXPECT_EQ(taken([](Problem& p, auto text) { p.beside.push_back({.name = text}); }), 2U);
  EXPECT_EQ(taken([](Problem& p, auto text) {
              p.graders.push_back({"c", {{.name = "g.c", .content = text}}, "s.c"});
            }),
            2U);
  EXPECT_EQ(taken([](Problem&, auto) {}), 16U);
}

// Lists that grow take up to twice what is in them.
TEST(Problems, CountTheRoomThatListsHaveTaken) {
  EXPECT_EQ(taken([](judge::Problem& p, auto) {
              for (int i = 0; i < 1000; ++i)
                p.granted_flags.emplace_back("-f");
              p.granted_flags.reserve(3500);  // 112 kB
            }),
            2U);
}

std::string refusal(const judge::Problem& problem) {
  const Status checked = judge::check_problem(problem);
  return checked ? "none" : checked.error().context;
}

TEST(Problems, WordsAreOfBoundedNumberAndLength) {
  judge::Problem problem = smallest();
  problem.granted_flags.assign(1000, std::string(4096, '-'));
  EXPECT_EQ(refusal(problem), "none");
  problem.granted_flags.emplace_back("-");
  EXPECT_EQ(refusal(problem), "there are more than 1000 granted flags");
  problem.granted_flags = {std::string(4097, '-')};
  EXPECT_EQ(refusal(problem), "one of the granted flags is longer than 4096 bytes");
  problem.granted_flags.clear();
  judge::CheckerProgram checker{.source = program()};
  checker.arguments.assign(1001, "-");
  problem.checker = checker;
  EXPECT_EQ(refusal(problem), "there are more than 1000 arguments of the checker");
  checker.arguments.clear();
  checker.source.language = std::string(129, 'x');
  problem.checker = checker;
  EXPECT_EQ(refusal(problem), "the checker has a language of more than 128 bytes");
  problem = smallest();
  problem.graders.push_back({std::string(129, 'x'), {{.name = "g.c"}}, "s.c"});
  EXPECT_EQ(refusal(problem), "a grader has a language of more than 128 bytes");
}

}  // namespace
}  // namespace assay::service
