// Files that a problem puts beside the programs for one of its tests alone: of an archive those
// whose names begin with the test's id, "sub/0102_table.txt" as "sub/table.txt".
#pragma once

#include "judge/building.h"

namespace assay::judge {

struct TestFiles {
  std::vector<SourceFile> solution{}, teacher{};  // as they are called in the archives
};

// What the problem's author packed is the author's to mend: an InvalidRequest.
Result<TestFiles> test_files_of(const BuildTools& tools, const Problem& problem,
                                Cancellation& cancellation);

// Those of one test, under the names that they have there. Borrowed from `all`.
enum class Folders { Keep, Drop };
std::vector<sandbox::FileIn> files_for(const std::vector<SourceFile>& all, std::string_view test,
                                       Folders folders);

}  // namespace assay::judge
