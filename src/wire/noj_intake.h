// What Normal-OJ's back end and its sandboxes tell each other: a submission and the answers to it,
// the state of the queue, and the results of all cases.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "judge/judge_result.h"
#include "judge/problem.h"

namespace assay::wire {

inline constexpr const char* kNojToken = "token";  // of a form, and of a query
inline constexpr const char* kNojArchive = "src";  // the part of a form that is the archive

using NojFields = std::map<std::string, std::string, std::less<>>;  // of a form, but the archive
std::string_view noj_token(const NojFields& fields);                // empty: none

struct NojSubmission {
  std::uint64_t problem = 0;
  unsigned language = 0;  // 0 C, 1 C++, 2 Python
  bool is_trial = false;
};
// Every complaint is its answer, word for word.
Result<NojSubmission> decode_noj_submission(const NojFields& fields);

std::string encode_noj_ok();                             // {"status":"ok","msg":"ok","data":"ok"}
std::string encode_noj_error(std::string_view message);  // {"status":"err","message":…,"data":null}

struct NojQueue {
  std::uint64_t queued = 0, most = 0;           // submissions
  std::uint64_t running = 0, most_running = 0;  // "containers" there
  std::vector<std::string> submissions{};       // in work
};
std::string encode_noj_status(const NojQueue& queue, bool in_full);

// Every case of every task, by TTCC. What did not run has -1 for time and memory, a source that
// does not compile is a CE of every case, and what came to nothing a JE. Where the output differs
// is not told: the answers are the problem's.
std::string encode_noj_complete(const judge::Problem& problem, const judge::JudgeResult& result,
                                std::string_view token);

}  // namespace assay::wire
