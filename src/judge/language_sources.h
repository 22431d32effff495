// What the source files of a submission are called in the box, and which of them is the main one.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "judge/language.h"

namespace assay::judge {

struct SourceText {
  std::string_view name{};  // as the submission says; may be empty when it is the only one
  std::string_view content{};
};

struct NamedSources {
  std::vector<std::string> names{};     // in the order of the texts
  std::vector<std::string> compiled{};  // those in the language, the main one first
  std::string main{};
  std::string entry{};  // Java: the class with main; else the main source without its ending
  bool operator==(const NamedSources&) const = default;
};

// A single source gets the language's own name, so that nothing depends on what it was called;
// several keep theirs. Names that leave the directory, hide as flags or hold control characters are
// refused.
Result<NamedSources> name_sources(const Language& language, std::span<const SourceText> texts);

// A relative path without tricks: not empty, no "." or "..", no part that begins as a flag does.
Status check_source_name(std::string_view name);

// What a Java file declares: found by reading it as Java, not by looking for words.
struct JavaFile {
  std::string package{};
  std::string public_type{};
  std::string main_type{};  // the first with a static main, the public one before others
  std::string first_type{};
  bool operator==(const JavaFile&) const = default;
};
JavaFile read_java(std::string_view text);

}  // namespace assay::judge
