// The lasting form of orders, and of what is remembered of those that are over.
#pragma once

#include "journal/result_form.h"
#include "service/judging.h"

namespace assay::service {

// A problem with a key is in the journal itself. Digest, size and set are not part of the form: the
// first stands beside it, the others are those of the time when it is judged.
template <typename Io, journal::Of<JudgeOrder> V>
void fields(Io& io, V& v) {
  auto& [submission, problem, problem_id, problem_key, options, policy, set, digest, webhook, size,
         priority, wants_facts, waits] = v;
  (void)set;
  (void)size;
  (void)digest;
  (void)waits;
  io(1, submission);
  if constexpr (std::is_same_v<Io, journal::Writer>) {
    if (problem_key == 0 && problem != nullptr) io(2, *problem);
  } else {
    std::optional<judge::Problem> sent;
    io(2, sent);
    if (sent) problem = std::make_shared<const judge::Problem>(*std::move(sent));
  }
  io(3, problem_id);
  io(4, problem_key);
  io(5, options);
  io(6, policy);
  io(7, webhook);
  io(8, priority);
  io(9, wants_facts);
}

struct OverForm {
  std::string problem_id{}, policy{}, webhook{};
  bool wants_facts = false;
  judge::JudgeResult result{};
};

template <typename Io, journal::Of<OverForm> V>
void fields(Io& io, V& v) {
  auto& [problem_id, policy, webhook, wants_facts, result] = v;
  io(1, problem_id);
  io(2, policy);
  io(3, webhook);
  io(4, wants_facts);
  io(5, result);
}

}  // namespace assay::service
