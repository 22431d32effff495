// Normal-OJ's meta.json as a value. Pure: no file is looked for here.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units.h"

namespace assay::package {

enum class NojMode { General, FunctionOnly, Interactive };  // as numbered there
enum class NojBuild { Compile, MakeNormal, MakeFunctionOnly, MakeInteractive };
enum class NojLanguage { C, Cpp, Python };

struct NojTask {
  unsigned score = 0;
  Bytes memory{};
  std::chrono::milliseconds time{};
  unsigned cases = 0;
};

struct NojMeta {
  std::optional<NojLanguage> language{};
  std::vector<NojTask> tasks{};
  bool zip = false;  // what is handed in is an archive
  NojMode mode = NojMode::General;
  NojBuild build = NojBuild::Compile;
  std::map<std::string, std::string, std::less<>> assets{};  // paths, by what they are
  bool teacher_first = false;
  std::optional<NojLanguage> teacher_language{};  // Interactive only, and then it is there
  bool custom_checker = false;                    // never in Interactive
  bool scoring_script = false;
  bool resource_data = false;          // files of single cases, beside the student's program
  bool resource_data_teacher = false;  // and beside the teacher's; Interactive only
  // To read is never a violation, as in the original: beside a program there is only what its
  // problem put there for it (resource data), which a problem that leaves allowRead out means to be
  // read.
  bool allow_read = false;
  bool allow_write = false;
};

std::string_view source_name(NojLanguage language);  // "main.c"
std::string_view language_id(NojLanguage language);  // of languages/*.toml

// Keys that nobody knows are ignored, as there. What changes verdicts and is not offered here is an
// InvalidRequest, like everything that is no value for its key: one sentence that names the key.
Result<NojMeta> parse_noj_meta(std::string_view text);

}  // namespace assay::package
