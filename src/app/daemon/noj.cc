#include "app/daemon/noj.h"

#include "package/noj_archive.h"
#include "package/noj_problem.h"
#include "service/names.h"
#include "wire/noj_number.h"

namespace assay::daemon {
namespace {

using namespace std::chrono_literals;

constexpr const char* kProblemPrefix = "noj-";  // of a problem's id, in logs and metrics
constexpr int kTrialPriority = -1;              // those who only try wait for the others
constexpr unsigned kMostAttempts = 125;         // an hour: a back end may be long in coming back

std::string without_slash(std::string url) {
  while (url.ends_with('/'))
    url.pop_back();
  return url;
}

// A back end has no other way to learn of a result: it is not given up soon.
std::optional<std::chrono::milliseconds> delay_after(unsigned attempts) {
  if (attempts >= kMostAttempts) return std::nullopt;
  return transport::webhook_delay(attempts).value_or(30s);
}

void write_down(const transport::WebhookReport& what, const Log& log) {
  const std::vector<LogField> fields{{"submission", what.submission},
                                     {"address", what.place},
                                     {"attempts", std::int64_t{what.attempts}},
                                     {"reason", what.reason}};
  if (what.delivered)
    log.debug("result put to Normal-OJ", fields);
  else if (what.will_retry)
    log.info("result not put to Normal-OJ yet", fields);
  else
    log.error("result NOT put to Normal-OJ: judge it again", fields);
}

}  // namespace

Result<std::unique_ptr<NojOffice>> NojOffice::open(const Settings& settings, const Log& log) {
  if (settings.noj_problems.empty()) return nullptr;
  auto problems = NojProblems::open(settings.noj_problems);
  if (!problems) return invalid("-noj-problems: " + describe(problems.error()));
  std::unique_ptr<NojOffice> office(new NojOffice(settings, *std::move(problems)));
  if (!settings.noj_backend.empty())
    office->sender_ = std::make_unique<transport::WebhookSender>(
        TRY(transport::load_webhook()),
        transport::WebhookSender::Options{.secret = settings.noj_token,
                                          .queue_count = 2 * office->most_,
                                          .queue_size = 256_MiB,
                                          .delay = delay_after,
                                          .report = [&log](const auto& what) {
                                            write_down(what, log);
                                          }});
  log.info("a back end of Normal-OJ may submit",
           {{"problems", settings.noj_problems}, {"backend", settings.noj_backend}});
  return office;
}

NojOffice::NojOffice(const Settings& settings, NojProblems problems)
    : problems_(std::move(problems)),
      backend_(without_slash(settings.noj_backend)),
      token_(settings.noj_token),
      most_(settings.noj_queue) {}

// From here on the id is taken, whatever others send meanwhile.
Result<std::uint64_t> NojOffice::reserve(const std::string& id) {
  if (id.empty() || !service::is_good_name(id))
    return invalid("a submission's id has " + std::string(service::kGoodName));
  const std::lock_guard guard(lock_);
  if (in_work_.contains(id))
    return std::unexpected(Error{Fault::Conflict, 0, "submission " + id + " is in progress"});
  if (in_work_.size() >= most_)
    return std::unexpected(Error{Fault::Busy, 0, std::string(service::kQueueFull)});
  // Or there would be no room for its result.
  if (sender_ && sender_->count() >= most_)
    return std::unexpected(Error{Fault::Busy, 0, "too many results wait for the back end"});
  in_work_.emplace(id, Work{.number = ++count_});
  return count_;
}

Result<service::JudgeOrder> NojOffice::order(const House& house, const std::string& id,
                                             const wire::NojSubmission& what, std::string archive) {
  using Cases = NojProblems::Cases;
  const auto language = static_cast<package::NojLanguage>(what.language);
  const auto set = house.catalogue.current();
  NojProblem found =
      TRY(problems_.find(what.problem, what.is_trial ? Cases::Public : Cases::All, set->languages));
  const auto entries = TRY(package::entries_of_zip(archive));
  TRY_STATUS(package::check_noj_archive(found.meta, language, entries));
  service::JudgeOrder order{.problem = std::move(found.problem),
                            .problem_id = kProblemPrefix + std::to_string(what.problem),
                            .policy = package::kNojPolicy,
                            .size = {archive.size()},
                            .priority = what.is_trial ? kTrialPriority : 0};
  order.submission.id = id;
  order.submission.language = package::language_id(language);
  order.submission.archive = TRY(house.contents.text(std::move(archive)));
  const std::lock_guard guard(lock_);
  Work& work = in_work_.at(id);
  work.problem = order.problem;
  work.is_trial = what.is_trial;
  order.digest = wire::noj_digest(work.number);
  return order;
}

Status NojOffice::submit(const House& house, const std::string& id, const wire::NojSubmission& what,
                         std::string archive) {
  const std::uint64_t number = TRY(reserve(id));
  const Status taken = [&]() -> Status {
    service::JudgeOrder wanted = TRY(order(house, id, what, std::move(archive)));
    // It is judged once more; one that is not over yet is another door's, and a Conflict.
    if (const auto known = house.judgings.find(id); known && (*known)->view().result != nullptr)
      (void)house.judgings.remove(id);
    TRY_STATUS(house.judgings.submit(std::move(wanted)));
    return {};
  }();
  if (taken) {
    if (sender_) sender_->drop(id, number);
    return {};
  }
  const std::lock_guard guard(lock_);
  in_work_.erase(id);
  return taken;
}

wire::NojQueue NojOffice::queue(const House& house) const {
  const service::JudgingSnapshot now = house.judgings.snapshot();
  wire::NojQueue queue{.most = most_, .running = now.running, .most_running = house.workers};
  const std::lock_guard guard(lock_);
  queue.queued = in_work_.size();
  for (const auto& [id, work] : in_work_)
    queue.submissions.push_back(id);
  return queue;
}

std::shared_ptr<transport::NojDoors> NojOffice::doors(const House& house) {
  return std::make_shared<transport::NojDoors>(transport::NojDoors{
      .token = token_,
      .submit = [this, house](
                    const std::string& id, const wire::NojSubmission& what,
                    std::string archive) { return submit(house, id, what, std::move(archive)); },
      .queue =
          [this, house] {
            return queue(house);
          }});
}

void NojOffice::remember(const service::JudgeOrder& order) {
  const std::lock_guard guard(lock_);
  const auto number = wire::remember_noj_digest(order.digest, count_);
  if (!number) return;
  in_work_[order.submission.id] = {
      .number = *number, .problem = order.problem, .is_trial = order.priority == kTrialPriority};
}

void NojOffice::over(const service::Judging& judging, const judge::JudgeResult& result) {
  const std::string& id = judging.id();
  Work work;
  {
    const std::lock_guard guard(lock_);
    const auto found = in_work_.find(id);
    // Another digest: it came through another door.
    if (found == in_work_.end() || wire::noj_digest(found->second.number) != judging.order().digest)
      return;
    work = std::move(found->second);
    in_work_.erase(found);
  }
  if (sender_ == nullptr) return;
  sender_->put({.url = backend_ + (work.is_trial ? "/trial-submission/" + id + "/result"
                                                 : "/submission/" + id + "/complete"),
                .submission = id,
                .body = wire::encode_noj_complete(*work.problem, result, token_),
                .method = "PUT",
                .number = work.number});
}

void NojOffice::stop(std::chrono::milliseconds patience) {
  if (sender_) sender_->stop(patience);
}

}  // namespace assay::daemon
