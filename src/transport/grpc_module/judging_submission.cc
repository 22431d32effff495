// A submission as a client sends it.
#include <fmt/format.h>

#include "store/digest.h"
#include "transport/grpc_module/judging_parts.h"
#include "wire/decode_parts.h"

namespace assay::transport::module {
namespace {

constexpr int kMostPriority = 1'000'000;
constexpr unsigned kMostRepeats = 10;

std::uint64_t thousandths(double value) {
  return static_cast<std::uint64_t>(std::llround(value * 1000));
}

Result<judge::Repeats> to_repeats(const v1::Repeats& message) {
  judge::Repeats repeats;
  if (message.most() > kMostRepeats)
    return invalid(
        fmt::format("repeats.most: expected at most {}, got {}", kMostRepeats, message.most()));
  repeats.most = message.most();
  if (message.has_margin())
    repeats.margin.thousandths =
        thousandths(TRY(to_real(message.margin(), 0, 1, "repeats.margin")));
  if (!v1::Repeats::Counts_IsValid(message.counts()))
    return unknown_value(message.counts(), "repeats.counts");
  if (message.counts() == v1::Repeats::COUNTS_SLOWEST)
    repeats.counts = judge::Repeats::Counts::Slowest;
  return repeats;
}

Result<judge::JudgeOptions> to_options(const v1::SubmitRequest& message) {
  judge::JudgeOptions options{.sanitize = message.sanitize(), .lint = message.lint()};
  if (message.dialogue()) options.dialogue = judge::kLogLimit;
  options.limits = TRY(to_limits(message.limits(), "limits"));
  options.stop = TRY(to_stop(message.stop(), "stop"));
  options.repeats = TRY(to_repeats(message.repeats()));
  if (message.has_soft_time_limit())
    options.soft.thousandths =
        thousandths(TRY(to_real(message.soft_time_limit(), 1, 10, "soft_time_limit")));
  return options;
}

Result<judge::Submission> to_submission(const v1::SubmitRequest& message, service::Supply& supply) {
  if (message.sources().empty() != message.has_archive())
    return invalid("sources: expected either at least one or an archive");
  judge::Submission submission;
  submission.id = TRY(to_name(message.submission_id(), "submission_id"));
  submission.language = TRY(to_name(message.language(), "language"));
  submission.sources = TRY(to_sources(message.sources(), "sources", supply));
  if (message.has_archive())
    submission.archive = TRY(to_archive(message.archive(), "archive", supply));
  submission.extra_flags = TRY(to_names(message.extra_flags(), wire::kMostWords, "extra_flags"));
  return submission;
}

// Whoever sends a submission again may wait for it now and not before: that is the same submission.
std::string digest_of(const v1::SubmitRequest& message) {
  v1::SubmitRequest said = message;
  said.clear_wait();
  return store::digest_of(said.SerializeAsString());
}

}  // namespace

Result<service::JudgeOrder> to_order(const v1::SubmitRequest& message, service::Supply& supply) {
  const bool is_named = message.what_case() == v1::SubmitRequest::kProblemId;
  if (!message.has_problem() && (!is_named || message.problem_id().empty()))
    return invalid("what: expected either a problem or a problem_id");
  if (std::abs(static_cast<std::int64_t>(message.priority())) > kMostPriority)
    return invalid(fmt::format("priority: expected {} to {}, got {}", -kMostPriority, kMostPriority,
                               message.priority()));
  service::JudgeOrder order{.priority = message.priority(), .wants_facts = message.facts()};
  order.submission = TRY(to_submission(message, supply));
  order.problem_id = TRY(to_name(message.problem_id(), "problem_id"));
  order.options = TRY(to_options(message));
  order.policy = TRY(to_name(message.policy(), "policy"));
  order.webhook = TRY(to_name(message.webhook(), "webhook"));
  order.digest = digest_of(message);
  if (message.has_problem())
    order.problem = std::make_shared<const judge::Problem>(
        TRY(to_problem(message.problem(), "problem", supply)));
  return order;
}

}  // namespace assay::transport::module
