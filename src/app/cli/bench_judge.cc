// Judging a+b with <bits/stdc++.h> and 20 tests: against plain g++, against bare runs of the
// program, and once more unchanged.
#include "app/cli/bench_judge.h"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>

#include "app/cli/bench_bare.h"
#include "app/cli/bench_engine.h"
#include "app/cli/bench_list.h"
#include "app/cli/bench_statistics.h"
#include "judge/compare_names.h"
#include "judge/compilers.h"
#include "judge/pipeline.h"
#include "os/file.h"

namespace assay::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kPairs = 9;
constexpr std::size_t kTests = 20;
constexpr std::size_t kJudgings = 25;
constexpr std::size_t kResubmissions = 50;
constexpr std::size_t kBareRuns = 100;

const char* const kSource = R"(#include <bits/stdc++.h>
using namespace std;
int main() {
  long long a, b;
  cin >> a >> b;
  cout << a + b << endl;
}
)";

// A file that goes with the bench.
class Workplace {
 public:
  static Result<Workplace> make() {
    std::string name = (std::filesystem::temp_directory_path() / "assay-bench-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) return system_error("make a directory");
    return Workplace(std::move(name));
  }
  Workplace(Workplace&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  Workplace& operator=(Workplace&&) = delete;
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  ~Workplace() {
    std::error_code error;
    if (!path_.empty()) std::filesystem::remove_all(path_, error);
  }
  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  explicit Workplace(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

// The same program each time, and yet never compiled before.
std::string fresh_source() {
  static std::uint64_t count = 0;
  return kSource + ("// " + std::to_string(++count) + "\n");
}

judge::Submission submission_of(std::string source) {
  return {.id = "bench", .language = "cpp", .sources = {{"", std::move(source)}}};
}

judge::Problem problem() {
  judge::Problem made{.limits = {.cpu_time = std::chrono::seconds(2), .memory = 256_MiB},
                      .checker = *judge::comparison_named("tokens")};
  for (std::size_t i = 1; i <= kTests; ++i)
    made.tests.push_back({.id = std::to_string(i),
                          .input = {.text = std::to_string(i) + " " + std::to_string(i) + "\n"},
                          .answer = {.text = std::to_string(2 * i) + "\n"}});
  return made;
}

// When things happened, from the request on.
struct Judged {
  Nanoseconds compiled{}, first{}, whole{};
};

class Bench {
 public:
  static Result<std::unique_ptr<Bench>> make(const Workplace& place) {
    Engine engine = TRY(Engine::start(workers()));
    std::unique_ptr<Bench> bench(new Bench(std::move(engine)));
    bench->languages_ = TRY(judge::load_languages(language_directory()));
    bench->profiles_ = TRY(judge::load_profile_limits(profile_directory(), bench->languages_));
    bench->policy_ = TRY(verdict::load_policy(policy_directory(), "assay"));
    judge::CompilersOptions options;
    options.cache.directory = place.file("cache");
    options.profiles = TRY(judge::load_profile_stamps(profile_directory(), bench->languages_));
    bench->compilers_ = TRY(judge::Compilers::open(bench->engine_.sandbox(), std::move(options)));
    TRY_STATUS(bench->engine_.sandbox().prepare("compile", 1));
    TRY_STATUS(bench->engine_.sandbox().prepare("native", workers()));
    const judge::Language* cpp = TRY(bench->languages_.find("cpp"));
    if (!TRY(bench->compilers_->warm_up(*cpp, bench->cancellation_)))
      return system_error(0, "the compiler cannot be made warm");
    return bench;
  }

  Result<Nanoseconds> compile() {
    const judge::CompileOrder order =
        TRY(judge::compile_order(languages_, submission_of(fresh_source())));
    TRY_STATUS(engine_.settle());
    const auto begun = Clock::now();
    const judge::Compiled done = TRY(compilers_->compile(order, policy_, cancellation_));
    const Nanoseconds taken = Clock::now() - begun;
    if (!done.program) return system_error(0, "a+b does not compile: " + done.result->log);
    return taken;
  }

  Result<Judged> judge(const judge::Submission& submission) {
    const judge::Judge judge(engine_.sandbox(), languages_, profiles_, policy_,
                             {.compilers = compilers_.get()});
    TRY_STATUS(engine_.settle());
    Judged times;
    const auto begun = Clock::now();
    const auto note = [&](Nanoseconds& time) {
      if (time == Nanoseconds{}) time = Clock::now() - begun;
    };
    const judge::JudgeEvents events{
        .compiled = [&](const judge::CompileResult&) { note(times.compiled); },
        .tested =
            [&](std::size_t, const judge::TestResult&) {
              note(times.first);
            }};
    const judge::JudgeResult result =
        TRY(judge.judge(problem_, submission, {.workers = workers(), .cores = usable_cores()},
                        events, cancellation_));
    note(times.whole);
    if (result.verdict != verdict::Verdict::Accepted)
      return system_error(0, "a+b was judged " + result.letters + ": " + result.message);
    return times;
  }

  static unsigned workers() { return static_cast<unsigned>(usable_cores().size()); }
  [[nodiscard]] judge::Compilers::Counts counts() const { return compilers_->counts(); }

 private:
  explicit Bench(Engine engine) : engine_(std::move(engine)) {}
  Engine engine_;
  judge::LanguageSet languages_;
  judge::ProfileLimits profiles_;
  verdict::Policy policy_;
  judge::Problem problem_ = problem();
  judge::Cancellation cancellation_;
  std::unique_ptr<judge::Compilers> compilers_;
};

// Plain g++ and the box in turns.
Status measure_compile(Bench& bench, const Workplace& place, std::size_t pairs, Report& report) {
  const os::OwnedFd source = TRY(os::open(place.file("main.cpp"), O_WRONLY | O_CREAT, 0600));
  TRY_STATUS(os::write_all(source.get(), kSource));
  Bare plain({"/usr/bin/g++", "-O2", "-o", place.file("main"), place.file("main.cpp")});
  (void)TRY(plain.run());
  (void)TRY(bench.compile());
  const std::uint64_t warm_before = bench.counts().warm;
  std::vector<Nanoseconds> bare;
  std::vector<Nanoseconds> boxed;
  Progress progress("compile", 2 * pairs);
  for (std::size_t turn = 0; turn < 2 * pairs; ++turn, progress.step()) {
    if (side_at(turn) == Side::Bare)
      bare.push_back(TRY(plain.run()).wall);
    else
      boxed.push_back(TRY(bench.compile()));
  }
  if (bench.counts().warm - warm_before != boxed.size())
    return system_error(0, "not every compilation was warm");
  report.promises.push_back(
      {"compile_over_plain_gxx", ratio(median(boxed), median(bare)), 0.6, "x"});
  report.detail.push_back({"compile",
                           {{"plain_gxx_median_ms", milliseconds(median(bare))},
                            {"plain_gxx_least_ms", milliseconds(percentile(bare, 0.0))},
                            {"warm_median_ms", milliseconds(median(boxed))},
                            {"warm_least_ms", milliseconds(percentile(boxed, 0.0))}}});
  return {};
}

// Whole judgings and bare runs of the same program in turns. The compile time is each judging's
// own: what is left must fit into what bare runs would take on all cores, and half as much again.
Status measure_judging(Bench& bench, const Workplace& place, Report& report) {
  Bare program({place.file("main")});
  std::vector<Nanoseconds> bare;
  std::vector<Nanoseconds> tests;
  std::vector<Nanoseconds> whole;
  Progress progress("judging", kJudgings);
  for (std::size_t i = 0; i < kJudgings; ++i, progress.step()) {
    for (std::size_t run = 0; run < kBareRuns / kJudgings; ++run)
      bare.push_back(TRY(program.run()).wall);
    const Judged judged = TRY(bench.judge(submission_of(fresh_source())));
    tests.push_back(judged.whole - judged.compiled);
    whole.push_back(judged.whole);
  }
  const double allowed =
      milliseconds(median(bare)) * kTests * 1.5 / static_cast<double>(Bench::workers());
  report.promises.push_back(
      {"judging_beyond_compile_over_bare_runs", milliseconds(median(tests)) / allowed, 1, "x"});
  report.detail.push_back({"judging",
                           {{"whole_median_ms", milliseconds(median(whole))},
                            {"beyond_compile_median_ms", milliseconds(median(tests))},
                            {"allowed_ms", allowed},
                            {"bare_run_median_ms", milliseconds(median(bare))}}});
  return {};
}

Status measure_resubmission(Bench& bench, Report& report) {
  const judge::Submission submission = submission_of(fresh_source());
  (void)TRY(bench.judge(submission));
  const std::uint64_t before = bench.counts().compilations;
  std::vector<Nanoseconds> first;
  std::vector<Nanoseconds> known;
  Progress progress("resubmission", kResubmissions);
  for (std::size_t i = 0; i < kResubmissions; ++i, progress.step()) {
    const Judged judged = TRY(bench.judge(submission));
    first.push_back(judged.first);
    known.push_back(judged.compiled);
  }
  const auto compilations = static_cast<double>(bench.counts().compilations - before);
  report.promises.push_back({"resubmission_compilations", compilations, 0, "count"});
  report.promises.push_back({"resubmission_first_verdict", milliseconds(median(first)), 5, "ms"});
  report.detail.push_back({"resubmission",
                           {{"first_verdict_median_ms", milliseconds(median(first))},
                            {"first_verdict_p90_ms", milliseconds(percentile(first, 0.9))},
                            {"first_verdict_worst_ms", milliseconds(percentile(first, 1.0))},
                            {"known_program_median_ms", milliseconds(median(known))}}});
  return {};
}

}  // namespace

Result<Report> bench_judge(const BenchOptions& options) {
  const Workplace place = TRY(Workplace::make());
  const auto bench = TRY(Bench::make(place));
  const std::size_t pairs = options.runs != 0 ? options.runs : kPairs;
  Report report{.bench = "judge",
                .about = "a+b with <bits/stdc++.h> and " + std::to_string(kTests) +
                         " tests, in turns with plain g++ -O2 and with bare runs of the program"};
  TRY_STATUS(measure_compile(*bench, place, pairs, report));
  TRY_STATUS(measure_judging(*bench, place, report));
  TRY_STATUS(measure_resubmission(*bench, report));
  TRY_STATUS(measure_comparison(report));
  return report;
}

}  // namespace assay::cli
