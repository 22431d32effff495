// Every solution of every example gets the verdict that its expected.toml names.
#include <algorithm>
#include <filesystem>

#include "judge/unpacked_files.h"
#include "os/file.h"
#include "package/load.h"
#include "sandbox/document.h"
#include "tests/judging/fixture.h"
#include "tests/judging/fixture_archives.h"

namespace assay::test {
namespace {

namespace fs = std::filesystem;

struct Expected {
  std::string file{};
  std::string verdict{};
  std::optional<double> score{};
  std::string language{};  // empty: by the ending
};

std::vector<Expected> expected_of(const fs::path& example) {
  const std::string path = example / "expected.toml";
  const auto document = sandbox::parse_document(path, os::read_whole(path).value());
  std::vector<Expected> all;
  for (const sandbox::Entry& entry : std::get<sandbox::Node::Table>(document.value().value)) {
    Expected& one = all.emplace_back(Expected{.file = entry.key});
    if (const auto* word = std::get_if<std::string>(&entry.value.value)) one.verdict = *word;
    if (const auto* table = std::get_if<sandbox::Node::Table>(&entry.value.value))
      for (const sandbox::Entry& field : *table) {
        if (field.key == "language") one.language = std::get<std::string>(field.value.value);
        if (field.key == "verdict") one.verdict = std::get<std::string>(field.value.value);
        if (field.key == "score")
          one.score = static_cast<double>(std::get<std::int64_t>(field.value.value));
      }
  }
  return all;
}

// A directory is handed in as an archive.
judge::Submission submission_of(const fs::path& example, const Expected& expected,
                                const judge::LanguageSet& languages) {
  judge::Submission submission{.language = expected.language};
  const fs::path path = example / expected.file;
  if (fs::is_directory(path)) {
    const Packing packing{.format = "tar", .filter = "gzip"};
    submission.archive = judge::Content{.text = pack(files_below(path), packing)};
    return submission;
  }
  if (const judge::Language* language = languages.for_file(expected.file))
    submission.language = language->id;
  submission.sources = {{expected.file, os::read_whole(path).value()}};
  return submission;
}

class ExamplesTest : public JudgingTest, public ::testing::WithParamInterface<std::string> {};

TEST_P(ExamplesTest, EverySolutionGetsTheVerdictThatIsExpected) {
  NEEDS_METERS();
  const fs::path example = fs::path(ASSAY_SOURCE_DIR) / "examples" / GetParam();
  const auto problem = package::load_package(example, languages());
  ASSERT_TRUE(problem) << describe(problem.error());
  if (!problem->policy.empty()) policy = problem->policy;
  const std::vector<Expected> all = expected_of(example);
  ASSERT_FALSE(all.empty());
  for (const Expected& expected : all) {
    const judge::Submission submission = submission_of(example, expected, languages());
    const judge::JudgeResult result = judge(*problem, submission, {.workers = 2});
    const std::string story = expected.file + ": " + letters(result) + " " + result.message;
    EXPECT_EQ(result.letters, expected.verdict) << story;
    EXPECT_EQ(result.score, expected.score.value_or(result.score)) << story;
  }
}

// Packed with its own folder around it, as most people do.
TEST_P(ExamplesTest, AsAPackageItIsTheSameProblem) {
  const fs::path example = fs::path(ASSAY_SOURCE_DIR) / "examples" / GetParam();
  std::vector<Packed> packed = files_below(example);
  for (Packed& each : packed)
    each.name = GetParam() + "/" + each.name;
  judge::UnpackedFiles::Files files;
  judge::Content* current = nullptr;
  const judge::FileTaker taker{.begin = [&](std::string_view name) -> Status {
                                 current = &files[std::string(name)];
                                 return {};
                               },
                               .add = [&](std::string_view bytes) -> Status {
                                 current->text += bytes;
                                 return {};
                               }};
  const os::OwnedFd stream = judge::nameless_file().value();
  const auto unpacked =
      unpacker().unpack_large(engine(), {.text = pack(packed, {.format = "zip"})}, {},
                              {.stream = stream.get(), .taker = taker}, cancellation());
  ASSERT_TRUE(unpacked && unpacked->refusal.empty());
  const auto problem = package::load_package(judge::UnpackedFiles(std::move(files)), languages());
  ASSERT_TRUE(problem) << describe(problem.error());
  const auto original = package::load_package(example, languages());
  ASSERT_EQ(problem->tests.size(), original->tests.size());
  EXPECT_EQ(problem->policy, original->policy);
  for (std::size_t i = 0; i < problem->tests.size(); ++i) {
    EXPECT_EQ(problem->tests[i].id, original->tests[i].id);
    EXPECT_EQ(problem->tests[i].input.text, judge::whole(original->tests[i].input, 64_MiB).value());
    EXPECT_EQ(problem->tests[i].answer.text,
              judge::whole(original->tests[i].answer, 64_MiB).value());
  }
}

std::vector<std::string> examples() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(ASSAY_SOURCE_DIR) / "examples"))
    if (fs::exists(entry.path() / "expected.toml")) names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Each, ExamplesTest, ::testing::ValuesIn(examples()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace assay::test
