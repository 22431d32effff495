#include "service/judge_engine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ranges>

namespace assay::service {
namespace {

class BoxJudge final : public JudgeEngine {
 public:
  BoxJudge(sandbox::Sandbox& engine, std::shared_ptr<const JudgeData> data, unsigned workers)
      : engine_(engine), data_(std::move(data)), workers_(workers) {}

  [[nodiscard]] Status check(const JudgeOrder& order) const override {
    const verdict::Policy* policy = find_policy(order);
    if (policy == nullptr)
      return invalid(fmt::format("no policy '{}'; there are {}", order.policy,
                                 fmt::join(std::views::keys(data_->policies), ", ")));
    if (order.problem == nullptr) return invalid("there is no problem");
    return judge_with(*policy).can_judge(*order.problem, order.submission);
  }

  Result<judge::JudgeResult> judge(const JudgeOrder& order, const judge::JudgeEvents& events,
                                   judge::Cancellation& cancellation) override {
    judge::JudgeOptions options = order.options;
    options.workers = workers_;
    return judge_with(*find_policy(order))
        .judge(*order.problem, order.submission, options, events, cancellation);
  }

  [[nodiscard]] judge::JudgeResult failed(const JudgeOrder& order, verdict::Verdict verdict,
                                          std::string message) const override {
    judge::JudgeResult result =
        judge_with(*find_policy(order)).failed(*order.problem, verdict, std::move(message));
    result.language = order.submission.language;
    return result;
  }

 private:
  [[nodiscard]] const verdict::Policy* find_policy(const JudgeOrder& order) const {
    const auto found =
        data_->policies.find(order.policy.empty() ? data_->default_policy : order.policy);
    return found != data_->policies.end() ? &found->second : nullptr;
  }
  [[nodiscard]] judge::Judge judge_with(const verdict::Policy& policy) const {
    return {engine_, data_->languages, data_->profiles, policy};
  }

  sandbox::Sandbox& engine_;
  std::shared_ptr<const JudgeData> data_;
  unsigned workers_;
};

}  // namespace

std::unique_ptr<JudgeEngine> make_judge_engine(sandbox::Sandbox& engine,
                                               std::shared_ptr<const JudgeData> data,
                                               unsigned workers) {
  return std::make_unique<BoxJudge>(engine, std::move(data), workers);
}

}  // namespace assay::service
