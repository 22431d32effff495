#include "app/daemon/judging.h"

#include <algorithm>
#include <set>

#include "app/daemon/journal_metrics.h"
#include "app/daemon/package.h"
#include "app/daemon/warded_engine.h"
#include "config/files.h"
#include "judge/problem_languages.h"
#include "sandbox/profile.h"
#include "service/judge_engine.h"
#include "wire/judging.h"

namespace assay::daemon {
namespace {

constexpr Bytes kMostRemembered = 64_MiB;  // of compiled programs, where they are kept in memory

// The tests of one submission share the machine with those of others: more threads than places
// would only wait.
unsigned workers_of(const service::Service& service) {
  constexpr std::uint64_t kMost = 16;
  return static_cast<unsigned>(std::clamp<std::uint64_t>(service.snapshot().workers, 1, kMost));
}

}  // namespace

Result<LawBooks> open_books(const Startup& startup, sandbox::Sandbox& engine, const Log& log) {
  auto catalogue = TRY(config::Catalogue::open(
      std::make_unique<config::Files>(config::Directories{.languages = startup.languages,
                                                          .profiles = startup.profiles,
                                                          .policies = startup.policies}),
      {.say = [&log](const std::string& sentence) {
        log.warning(sentence);
      }}));
  const config::Catalogue::Snapshot set = catalogue->current();
  std::set<std::string> profiles{judge::kUnpackProfile};
  for (const judge::Language& language : set->languages.all())
    profiles.insert(language.profiles.begin(), language.profiles.end());
  for (const std::string& name : TRY(sandbox::list_profiles(startup.profiles)))
    profiles.insert(name);  // a problem may name any
  for (const std::string& profile : profiles)
    TRY_STATUS(engine.know(profile));
  judge::Unpacker unpacker = TRY(judge::Unpacker::open());
  judge::ProfileStamps stamps = TRY(judge::load_profile_stamps(startup.profiles, set->languages));
  return LawBooks{.catalogue = std::move(catalogue),
                  .unpacker = std::move(unpacker),
                  .stamps = std::move(stamps)};
}

Result<std::unique_ptr<judge::Compilers>> open_compilers(const Startup& startup,
                                                         sandbox::Sandbox& engine,
                                                         const LawBooks& books) {
  judge::CompilersOptions options;
  options.level = judge::CacheLevel::Transient;
  options.profiles = books.stamps;
  options.most_memory = kMostRemembered;
  if (!startup.compile_cache.empty()) {
    options.level = judge::CacheLevel::Compilation;
    options.cache.directory = startup.compile_cache;
  }
  return judge::Compilers::open(engine, std::move(options));
}

Result<std::unique_ptr<journal::Journal>> open_journal(const Startup& startup, const Log& log) {
  if (startup.journal.empty()) {
    log.info("submissions and results end with this daemon; -dir or -journal keeps them");
    return nullptr;
  }
  auto opened = journal::Journal::open({.directory = startup.journal,
                                        .outlives_power = startup.settings.journal_sync,
                                        .say = [&log](const std::string& sentence) {
                                          log.error(sentence);
                                        }});
  // Two daemons on one -dir share its files. Only the first has the journal that comes with it.
  if (!opened && opened.error().fault == Fault::Conflict && !startup.journal_is_named) {
    log.warning("submissions and results end with this daemon; give it a -journal of its own",
                {{"reason", describe(opened.error())}});
    return nullptr;
  }
  return opened;
}

Courthouse::Courthouse(Parts parts)
    : parts_(std::move(parts)),
      contents_(parts_.service.store(), opener()),
      ledger_(parts_.journal ? std::make_optional<service::Ledger>(*parts_.journal, contents_)
                             : std::nullopt),
      problems_({}, ledger()),
      packages_(parts_.service,
                [this](const judge::Content& archive, judge::Cancellation& cancellation) {
                  return problem_of_package({.engine = parts_.engine,
                                             .unpacker = parts_.books.unpacker,
                                             .store = parts_.service.store(),
                                             .catalogue = *parts_.books.catalogue},
                                            archive, cancellation);
                }),
      judgings_(
          std::make_unique<WardedJudge>(
              service::make_judge_engine(
                  parts_.engine, *parts_.books.catalogue, workers_of(parts_.service),
                  {.unpacker = &parts_.books.unpacker, .compilers = parts_.compilers.get()}),
              parts_.engine.warden_pid()),
          parts_.service, {},
          [this](const service::Judging& judging, const judge::JudgeResult& result) {
            note(judging, result);
          },
          ledger()) {
  if (parts_.metrics)
    parts_.metrics->append([this] {
      return counts_.text(judgings_.snapshot()) +
             (ledger_ ? metrics_text(ledger_->snapshot()) : std::string());
    });
  if (ledger_ && parts_.webhooks)
    parts_.webhooks->when_settled([this](const std::string& id) { ledger_->delivered(id); });
}

Status Courthouse::resume() {
  if (!ledger_) return {};
  for (const std::string& trouble : TRY(problems_.resume()))
    parts_.log.warning("of the journal, and not served", {{"trouble", trouble}});
  TRY_STATUS(resend());
  if (parts_.noj)
    for (const service::Ledger::Unfinished& old : TRY(ledger_->unfinished()))
      if (old.trouble.empty()) parts_.noj->remember(old.order);
  const std::size_t resumed = TRY(judgings_.resume());
  parts_.log.info("the journal is read",
                  {{"problems", static_cast<std::int64_t>(problems_.list().size())},
                   {"resumed", static_cast<std::int64_t>(resumed)}});
  return {};
}

Status Courthouse::warm_up(std::vector<std::string> languages) {
  if (languages.empty()) return {};
  warm_up_ = TRY(WarmUp::start({.compilers = *parts_.compilers,
                                .service = parts_.service,
                                .set = parts_.books.catalogue->current(),
                                .languages = std::move(languages),
                                .log = parts_.log}));
  return {};
}

Status Courthouse::resend() {
  for (const std::shared_ptr<service::Judging>& judging : TRY(ledger_->undelivered())) {
    const std::string& url = judging->order().webhook;
    const Status allowed =
        parts_.webhooks ? parts_.webhooks->check(url) : invalid("there is no -webhook-prefix");
    if (allowed) {
      parts_.webhooks->send(*judging);
      continue;
    }
    parts_.log.warning("a result was still to be sent, and must not be",
                       {{"submission", judging->id()}, {"reason", describe(allowed.error())}});
    ledger_->delivered(judging->id());  // or it would be in the way of others at every start
  }
  return {};
}

// go-judge's clients may read any file of the host where no prefix is set. Ours may read none.
service::StoredContents::OpenHostFile Courthouse::opener() {
  if (!parts_.serves_host_files) return {};
  return [this](const std::string& path) {
    return parts_.host_files.open(path);
  };
}

Courthouse::~Courthouse() {
  if (parts_.webhooks) parts_.webhooks->stop(std::chrono::milliseconds(0));  // it tells the ledger
  if (parts_.metrics) parts_.metrics->append(nullptr);
}

void Courthouse::drain(std::chrono::milliseconds patience) {
  if (warm_up_) warm_up_->stop();
  judgings_.drain(patience);
  if (parts_.webhooks) parts_.webhooks->stop(patience);
  if (parts_.noj) parts_.noj->stop(patience);
}

std::shared_ptr<transport::JudgingDoors> Courthouse::doors() {
  auto doors = std::make_shared<transport::JudgingDoors>(
      transport::JudgingDoors{.judgings = judgings_, .problems = problems_, .contents = contents_});
  doors->languages_json = [this] {
    return wire::encode_languages(parts_.books.catalogue->current()->languages);
  };
  doors->languages = [this]() -> std::vector<judge::Language> {
    return parts_.books.catalogue->current()->languages.all();
  };
  doors->check_problem = [this](const judge::Problem& problem) {
    return judge::check_languages(problem, parts_.books.catalogue->current()->languages);
  };
  doors->load_package = [this](judge::Content archive, service::Packages::Loaded loaded) {
    packages_.load(std::move(archive), std::move(loaded));
  };
  if (parts_.webhooks)
    doors->check_webhook = [this](const std::string& url) {
      return parts_.webhooks->check(url);
    };
  return doors;
}

std::shared_ptr<transport::NojDoors> Courthouse::noj_doors() {
  if (!parts_.noj) return nullptr;
  return parts_.noj->doors({.judgings = judgings_,
                            .contents = contents_,
                            .catalogue = *parts_.books.catalogue,
                            .workers = parts_.service.snapshot().workers});
}

void Courthouse::note(const service::Judging& judging, const judge::JudgeResult& result) {
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(result.finished_at -
                                                                          result.received_at);
  if (parts_.metrics) counts_.judging_ended(judging, result);
  if (parts_.webhooks) parts_.webhooks->send(judging);
  if (parts_.noj) parts_.noj->over(judging, result);
  const bool doubtful =
      result.status == judge::JudgeStatus::Failed || verdict::is_our_fault(result.verdict);
  parts_.log.write(doubtful ? Level::Warning : Level::Info, "judged",
                   {{"submission", judging.id()},
                    {"problem", judging.order().problem_id},
                    {"language", result.language},
                    {"verdict", result.letters},
                    {"tests", static_cast<std::int64_t>(result.tests.size())},
                    {"milliseconds", std::int64_t{took.count()}},
                    {"message", result.message}});
}

}  // namespace assay::daemon
