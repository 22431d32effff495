// Parts that problems and submissions have in common. Private to the decoders.
#pragma once

#include "judge/language.h"
#include "judge/problem.h"
#include "service/contents.h"
#include "wire/strict.h"

namespace assay::wire {

using judge::kMostTests;
constexpr std::size_t kMostSources = 1'000;
constexpr std::size_t kMostWords = 256;      // of a command line that a client adds to
constexpr std::size_t kLongestName = 4'096;  // of words, names, ids and paths, too

// A string, or {"fileId"}, {"path"}, {"content","encoding"?}.
Status read_content(Reader& in, judge::Content& out, service::Supply& supply);
// The same, with all of it in memory.
Status read_source_text(Reader& in, std::string& out, service::Supply& supply);
Status read_source_file(Reader& in, judge::SourceFile& out, service::Supply& supply);

// The same, and no larger than can be unpacked.
Status read_archive(Reader& in, std::optional<judge::Content>& out, service::Supply& supply);

Status read_limits(Reader& in, sandbox::Limits& out, service::Supply& supply);
Status read_name(Reader& in, std::string& out);  // without NUL, and not longer than that
Status read_strings(Reader& in, std::vector<std::string>& out, service::Supply& supply);
Status read_words(Reader& in, std::vector<std::string>& out);  // flags and arguments
Status read_stop(Reader& in, std::optional<judge::StopRule>& out, service::Supply& supply);
Status read_checker(Reader& in, judge::Problem& out, service::Supply& supply);
Status read_interactor(Reader& in, judge::Problem& out, service::Supply& supply);
Status read_manager(Reader& in, judge::Problem& out, service::Supply& supply);
Status read_scorer(Reader& in, judge::Problem& out, service::Supply& supply);
Status read_problem(Reader& in, judge::Problem& out, service::Supply& supply);

}  // namespace assay::wire
