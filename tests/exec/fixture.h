// Commands in real boxes, with a store beside them.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "exec/runner.h"
#include "os/file.h"
#include "tests/support/box_test.h"
#include "verdict/policy.h"

namespace assay::exec {

using test::scaled;
using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

inline const std::vector<std::string> kPath{"PATH=/usr/bin:/bin"};

inline Collector out(const std::string& name, Bytes max = 10_KiB, bool pipe = false) {
  return {name, max, pipe};
}

// A shell command with the three usual descriptors.
inline Command shell(const std::string& script, const std::string& input = "") {
  return {.args = {"/bin/sh", "-c", script},
          .env = kPath,
          .files = {Content{input}, out("stdout"), out("stderr")},
          .limits = {.cpu = scaled(5s), .clock = scaled(10s), .memory = 256_MiB, .processes = 50}};
}

class Runs : public test::BoxTest {
 protected:
  void SetUp() override {
    BoxTest::SetUp();
    directory_ =
        std::filesystem::temp_directory_path() / ("assay-exec-test-" + std::to_string(::getpid()));
    auto store = store::Store::open({.directory = directory_ / "store", .temporary = true});
    ASSERT_TRUE(store) << describe(store.error());
    store_.emplace(std::move(*store));
    auto policy = verdict::load_policy(std::string(ASSAY_SOURCE_DIR) + "/policies", "gojudge");
    ASSERT_TRUE(policy) << describe(policy.error());
    rules_.profile = "default";
    rules_.policy = *policy;
    rules_.defaults = {.cpu = scaled(2s), .clock = scaled(5s), .memory = 128_MiB, .processes = 20};
  }
  void TearDown() override {
    store_.reset();
    std::filesystem::remove_all(directory_);
    BoxTest::TearDown();
  }

  Result<std::vector<CommandResult>> try_run(const Request& request, const Session& session = {}) {
    Runner runner(
        engine(), *store_, [](const std::string& path) { return os::open(path, O_RDONLY); },
        rules_);
    return runner.run(request, session);
  }
  CommandResult run(Command command) {
    auto results = try_run({.commands = {std::move(command)}});
    if (!results) {
      ADD_FAILURE() << describe(results.error());
      return {};
    }
    return std::move(results->at(0));
  }
  std::vector<CommandResult> run_all(const Request& request) {
    auto results = try_run(request);
    if (results) return std::move(*results);
    ADD_FAILURE() << describe(results.error());
    return std::vector<CommandResult>(request.commands.size());
  }
  std::string stored(const std::string& id) {
    auto opened = store_->get(id);
    if (!opened) return "no such file: " + describe(opened.error());
    return os::read_from_start(opened->file.get(), 1 << 20).value_or("unreadable");
  }

  std::filesystem::path directory_;
  std::optional<store::Store> store_;
  Rules rules_;
};

}  // namespace assay::exec
