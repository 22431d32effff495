// A problem that somebody sent as an archive, once it is unpacked: ours or Normal-OJ's.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "base/check.h"
#include "fuzz/shipped_languages.h"
#include "fuzz/slices.h"
#include "fuzz/targets.h"
#include "judge/problem_languages.h"
#include "judge/unpack_stream.h"
#include "judge/unpacked_files.h"
#include "package/load.h"

namespace assay::fuzz {
namespace {

constexpr std::size_t kMostCompared = 8;  // names, of which all triples are looked at

// All files are parts of one, as the daemon keeps them: here of the input itself.
class SentPackage {
 public:
  explicit SentPackage(std::string_view bytes)
      : file_(std::make_shared<const os::OwnedFd>(::memfd_create("package", MFD_CLOEXEC))),
        start_(bytes.data()) {
    CHECK(::pwrite(file_->get(), bytes.data(), bytes.size(), 0) ==
          static_cast<ssize_t>(bytes.size()));
  }

  void add(std::string_view name, std::string_view text) {
    const judge::FilePart part{.offset = static_cast<std::uint64_t>(text.data() - start_),
                               .size = text.size()};
    if (!files_.try_emplace(std::string(name), judge::Content{.file = file_, .part = part}).second)
      return;
    parts_.emplace(part.offset, part.size);
    texts_.insert(text);
  }
  [[nodiscard]] const judge::UnpackedFiles::Files& files() const { return files_; }
  [[nodiscard]] bool has(const judge::Content& content) const {
    return content.file == file_ && content.part && content.text.empty() && content.path.empty() &&
           parts_.contains({content.part->offset, content.part->size});
  }
  [[nodiscard]] bool has(const std::vector<judge::SourceFile>& files) const {
    return std::ranges::all_of(
        files, [this](const judge::SourceFile& each) { return texts_.contains(each.content); });
  }

 private:
  std::shared_ptr<const os::OwnedFd> file_;
  const char* start_;
  judge::UnpackedFiles::Files files_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> parts_;
  std::set<std::string_view> texts_;
};

// Whatever sorts by it may rely on it.
void check_order(const std::vector<std::string_view>& names) {
  const auto before = judge::comes_before;
  for (const std::string_view a : names) {
    CHECK(!before(a, a));
    for (const std::string_view b : names) {
      CHECK(a == b || before(a, b) != before(b, a));
      for (const std::string_view c : names)
        CHECK(!before(a, b) || !before(b, c) || before(a, c));
    }
  }
}

void check_matching(const judge::UnpackedFiles& files, const std::string& pattern,
                    std::size_t input) {
  const auto found = files.matching(pattern);
  if (!found) {
    CHECK(is_explained(found, input));
    return;
  }
  for (const std::string& path : *found)
    CHECK(files.file(path).has_value());
  for (std::size_t i = 1; i < found->size(); ++i)
    CHECK(judge::comes_before((*found)[i - 1], (*found)[i]));
}

// What may be missing is empty.
bool is_sent_or_none(const SentPackage& sent, const judge::Content& content) {
  return sent.has(content) || (!content.file && content.text.empty() && content.path.empty());
}

void check_contents(const SentPackage& sent, const judge::Problem& problem) {
  for (const judge::ProblemTest& test : problem.tests)
    CHECK(is_sent_or_none(sent, test.input) && is_sent_or_none(sent, test.answer));
  for (const auto* archive : {&problem.build_archive, &problem.test_files, &problem.teacher_files})
    CHECK(!*archive || sent.has(**archive));
  if (const auto* program = std::get_if<judge::CheckerProgram>(&problem.checker))
    CHECK(sent.has(program->source.sources));
  CHECK(!problem.interactor || sent.has(problem.interactor->source.sources));
  CHECK(!problem.manager || sent.has(problem.manager->source.sources));
  CHECK(!problem.scorer || sent.has(problem.scorer->source.sources));
  CHECK(sent.has(problem.build_files) && sent.has(problem.beside));
  for (const judge::Grader& grader : problem.graders)
    CHECK(sent.has(grader.files));
}

}  // namespace

// A pattern, then names and texts in turn.
void package_files(std::string_view bytes) {
  Slices in(bytes);
  const std::string pattern(in.part());
  SentPackage sent(bytes);
  std::vector<std::string_view> names{pattern};
  while (!in.is_empty()) {
    const std::string_view name = in.part();
    const std::string_view text = in.part();
    if (names.size() < kMostCompared) names.push_back(name);
    if (judge::complaint_about_name(name, {}).empty()) sent.add(name, text);
  }
  check_order(names);
  const judge::UnpackedFiles files(sent.files());
  check_matching(files, pattern, bytes.size());
  const auto problem = package::load_package(files, shipped_languages());
  if (!problem) {
    CHECK(is_explained(problem, bytes.size()));
    return;
  }
  CHECK(!problem->tests.empty() && problem->tests.size() <= judge::kMostTests);
  CHECK(problem->subtasks.size() <= judge::kMostSubtasks);
  CHECK(judge::check_problem(*problem) && judge::check_languages(*problem, shipped_languages()));
  check_contents(sent, *problem);
}

}  // namespace assay::fuzz
