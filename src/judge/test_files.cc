#include "judge/test_files.h"

#include <fmt/format.h>

namespace assay::judge {
namespace {

struct Place {
  std::string_view folder{};  // with its last slash, or empty
  std::string_view name{};    // without the test's id
};

std::optional<Place> place_of(std::string_view path, std::string_view test) {
  const std::size_t start = path.rfind('/') + 1;  // npos + 1 is 0
  std::string_view name = path.substr(start);
  if (!name.starts_with(test) || !name.substr(test.size()).starts_with('_')) return std::nullopt;
  return Place{path.substr(0, start), name.substr(test.size() + 1)};
}

Status check_places(const Problem& problem, const std::vector<SourceFile>& files) {
  for (const SourceFile& file : files)
    for (const ProblemTest& test : problem.tests)
      if (const auto place = place_of(file.name, test.id))
        if (place->name.empty() || place->name == "." || place->name == "..")
          return invalid(fmt::format("'{}' has no name that a file can have", file.name));
  return {};
}

Result<std::vector<SourceFile>> unpacked(const BuildTools& tools, const Problem& problem,
                                         const std::optional<Content>& archive,
                                         Cancellation& cancellation) {
  if (!archive) return std::vector<SourceFile>{};
  Unpacked found = TRY(files_of(tools, {.archive = archive}, {}, cancellation));
  const Status fine =
      found.refusal.empty() ? check_places(problem, found.files) : invalid(found.refusal);
  if (!fine) return invalid("the problem's resources: " + fine.error().context);
  return std::move(found.files);
}

}  // namespace

Result<TestFiles> test_files_of(const BuildTools& tools, const Problem& problem,
                                Cancellation& cancellation) {
  TestFiles files;
  files.solution = TRY(unpacked(tools, problem, problem.test_files, cancellation));
  files.teacher = TRY(unpacked(tools, problem, problem.teacher_files, cancellation));
  return files;
}

std::vector<sandbox::FileIn> files_for(const std::vector<SourceFile>& all, std::string_view test,
                                       Folders folders) {
  std::vector<sandbox::FileIn> files;
  for (const SourceFile& file : all) {
    const auto place = place_of(file.name, test);
    if (!place) continue;
    const std::string_view folder = folders == Folders::Keep ? place->folder : "";
    files.push_back({.name = fmt::format("{}{}", folder, place->name),
                     .executable = file.executable,
                     .content = file.content});
  }
  return files;
}

}  // namespace assay::judge
