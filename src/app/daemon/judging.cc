#include "app/daemon/judging.h"

#include <algorithm>
#include <set>

#include "config/files.h"
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

Courthouse::Courthouse(Parts parts)
    : parts_(std::move(parts)),
      contents_(parts_.service.store(), opener()),
      judgings_(service::make_judge_engine(
                    parts_.engine, *parts_.books.catalogue, workers_of(parts_.service),
                    {.unpacker = &parts_.books.unpacker, .compilers = parts_.compilers.get()}),
                parts_.service, {},
                [this](const service::Judging& judging, const judge::JudgeResult& result) {
                  note(judging, result);
                }) {
  if (parts_.metrics) parts_.metrics->append([this] { return counts_.text(judgings_.snapshot()); });
}

// go-judge's clients may read any file of the host where no prefix is set. Ours may read none.
service::StoredContents::OpenHostFile Courthouse::opener() {
  if (!parts_.serves_host_files) return {};
  return [this](const std::string& path) {
    return parts_.host_files.open(path);
  };
}

Courthouse::~Courthouse() {
  if (parts_.metrics) parts_.metrics->append(nullptr);
}

void Courthouse::drain(std::chrono::milliseconds patience) {
  judgings_.drain(patience);
  if (parts_.webhooks) parts_.webhooks->stop(patience);
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
  if (parts_.webhooks)
    doors->check_webhook = [this](const std::string& url) {
      return parts_.webhooks->check(url);
    };
  return doors;
}

void Courthouse::note(const service::Judging& judging, const judge::JudgeResult& result) {
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(result.finished_at -
                                                                          result.received_at);
  if (parts_.metrics) counts_.judging_ended(judging, result);
  if (parts_.webhooks) parts_.webhooks->send(judging);
  parts_.log.write(result.status == judge::JudgeStatus::Failed ? Level::Warning : Level::Info,
                   "judged",
                   {{"submission", judging.id()},
                    {"problem", judging.order().problem_id},
                    {"language", result.language},
                    {"verdict", result.letters},
                    {"tests", static_cast<std::int64_t>(result.tests.size())},
                    {"milliseconds", std::int64_t{took.count()}},
                    {"message", result.message}});
}

}  // namespace assay::daemon
