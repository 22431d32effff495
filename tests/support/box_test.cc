#include "tests/support/box_test.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "os/file.h"
#include "tests/support/places.h"
#include "tests/support/traces.h"

namespace assay::test {
namespace {

const verdict::Policy& policy() {
  static const verdict::Policy loaded =
      verdict::load_policy(tried_data() + "/policies", "assay").value();
  return loaded;
}

long environment_number(const char* name, long fallback) {
  const char* text = std::getenv(name);
  return text != nullptr && *text != '\0' ? std::atol(text) : fallback;
}

std::string text_of(const sandbox::End& end) {
  if (const auto* exited = std::get_if<sandbox::Exited>(&end))
    return "exited with " + std::to_string(exited->code);
  if (const auto* signaled = std::get_if<sandbox::Signaled>(&end))
    return sandbox::name_of_signal(signaled->signal) + (signaled->core ? " with a core" : "");
  if (const auto* forbidden = std::get_if<sandbox::Forbidden>(&end))
    return "forbidden " + sandbox::name_of_syscall(forbidden->syscall);
  return describe(std::get<sandbox::NotStarted>(end));
}

}  // namespace

Nanoseconds scaled(Nanoseconds time) {
  return time * std::max(1L, environment_number("ASSAY_SLOW_MACHINE", 1));
}

std::string milliseconds(Nanoseconds time) {
  return std::to_string(time / 1ms);
}

std::string letters_of(const sandbox::Facts& facts) {
  return judge(facts, policy()).letters;
}

std::ostream& operator<<(std::ostream& stream, const Outcome& outcome) {
  const sandbox::Facts& facts = outcome.facts;
  stream << outcome.letters << ": " << text_of(facts.end) << ", cut off by "
         << name_of(facts.cut_off_by) << ", cpu " << format_duration(facts.cpu_total) << ", wall "
         << format_duration(facts.wall) << ", memory " << format_bytes(facts.memory_peak)
         << ", oom " << facts.oom_kills << ", output " << facts.output.bytes << " B\n";
  for (const sandbox::FileError& error : facts.file_errors)
    stream << "file '" << error.name << "': " << error.why << "\n";
  return stream << "stdout: " << outcome.output.substr(0, 2000)
                << "\nstderr: " << outcome.errors.substr(0, 1000) << "\n";
}

os::OwnedFd file_of(std::string_view content) {
  os::OwnedFd fd(::memfd_create("test", MFD_CLOEXEC));
  EXPECT_TRUE(fd.is_open());
  EXPECT_TRUE(os::write_all(fd.get(), content));
  ::lseek(fd.get(), 0, SEEK_SET);
  return fd;
}

std::string content_of(int fd) {
  std::string content;
  std::array<char, 65536> block;
  for (ssize_t got = 0;
       (got = ::pread(fd, block.data(), block.size(), static_cast<off_t>(content.size()))) > 0;)
    content.append(block.data(), static_cast<std::size_t>(got));
  return content;
}

std::string guest_path(const std::string& name) {
  return tried_guests() + "/" + name;
}

Prepared::Prepared(const Job& job) {
  spec.profile = job.profile;
  spec.limits = job.limits;
  spec.environment = job.environment;
  spec.cores = job.cores;
  if (!job.guest.empty()) {
    fds_.emplace_back(::open(guest_path(job.guest).c_str(), O_RDONLY | O_CLOEXEC));
    EXPECT_TRUE(fds_.back().is_open()) << "no guest " << job.guest;
    spec.files_in.push_back({.name = "guest", .source = fds_.back().get(), .executable = true});
    spec.argv = {"./guest"};
  }
  spec.argv.insert(spec.argv.end(), job.arguments.begin(), job.arguments.end());
  for (const Put& file : job.files_in) {
    fds_.push_back(file_of(file.content));
    spec.files_in.push_back({file.name, fds_.back().get(), file.executable});
  }
  for (const std::string& name : job.files_out) {
    fds_.push_back(file_of(""));
    spec.files_out.push_back({name, fds_.back().get(), job.out_limit});
  }
  fds_.push_back(file_of(job.input));
  spec.input = sandbox::Descriptor{fds_.back().get()};
  spec.output = sandbox::Collect{.text = &outcome.output};
  spec.errors = sandbox::Collect{.text = &outcome.errors};
}

void Prepared::finish(const sandbox::Facts& facts) {
  outcome.facts = facts;
  outcome.letters = letters_of(facts);
  for (const sandbox::FileOut& file : spec.files_out)
    outcome.files[file.name] = content_of(file.sink);
}

sandbox::Options BoxTest::options() {
  return {.warden = tried_programs() + "/assay-warden",
          .profiles = tried_data() + "/profiles",
          .allow_degraded = environment_number("ASSAY_TEST_DEGRADED", 0) != 0,
          .spare_boxes = 0};
}

const std::vector<std::string>& BoxTest::missing() {
  static const std::vector<std::string> lacks = [] {
    sandbox::Options any = options();
    any.allow_degraded = true;
    auto engine = sandbox::Sandbox::start(any);
    if (!engine) return std::vector{describe(engine.error())};
    auto facts = engine->run({.argv = {"/bin/true"}});
    return facts ? facts->missing : std::vector{describe(facts.error())};
  }();
  return lacks;
}

bool BoxTest::has_meters() {
  return std::ranges::none_of(missing(),
                              [](const auto& what) { return what.starts_with("cgroups"); });
}

bool BoxTest::has_own_ids() {
  return std::ranges::none_of(missing(),
                              [](const auto& what) { return what.starts_with("identities"); });
}

bool BoxTest::all_gone(const std::string& mark) {
  for (int tries = 0; tries < 500 && !processes_with(mark).empty(); ++tries)
    std::this_thread::sleep_for(scaled(10ms));
  return processes_with(mark).empty();
}

void BoxTest::SetUp() {
  const bool may_skip = (::geteuid() != 0 || is_report()) && !options().allow_degraded;
  if (may_skip && !missing().empty()) GTEST_SKIP() << "no full box here: " << missing().front();
  descriptors_ = open_descriptors();
  auto started = sandbox::Sandbox::start(options());
  ASSERT_TRUE(started) << describe(started.error());
  engine_ = std::move(*started);
  instance_ = engine_->instance();
}

void BoxTest::TearDown() {
  engine_.reset();
  if (instance_.empty()) return;
  EXPECT_EQ(traces_of(instance_), std::vector<std::string>{});
  EXPECT_EQ(open_descriptors(), descriptors_) << "descriptors were left open";
}

Result<Outcome> BoxTest::try_run(const Job& job, sandbox::Control* control) {
  Prepared prepared(job);
  prepared.finish(TRY(engine_->run(prepared.spec, control)));
  return std::move(prepared.outcome);
}

Outcome BoxTest::run(const Job& job, sandbox::Control* control) {
  auto outcome = try_run(job, control);
  if (outcome) return std::move(*outcome);
  ADD_FAILURE() << describe(outcome.error());
  return {};
}

}  // namespace assay::test
