#include "tests/wire/golden.h"

#include <gtest/gtest.h>

#include "tests/wire/sample.h"
#include "wire/json.h"

namespace assay::wire {
namespace {

void expect_answer(const std::string& name, const std::string& text) {
  EXPECT_TRUE(is_json(text)) << text;
  expect_golden("tests/golden/wire/" + name, text);
}

void expect_both_ways(const std::string& name, const exec::Request& request) {
  expect_answer(name, encode_request(request));
  const auto decoded = decode_request(golden(name));
  ASSERT_TRUE(decoded) << decoded.error().context;
  EXPECT_EQ(*decoded, request);
}

TEST(Golden, ARequestWithEveryFieldReadsBackAsItWas) {
  expect_both_ways("request_full.json", full_request());
}

TEST(Golden, TwoJoinedCommandsReadBackAsTheyWere) {
  expect_both_ways("request_pair.json", pair_request());
}

// Written the way Hydro's judge does; never rewritten by us.
TEST(Golden, TheRequestOfHydroIsUnderstood) {
  const auto request = decode_request(golden("request_hydro.json"));
  ASSERT_TRUE(request) << request.error().context;
  exec::Command expected;
  expected.args = {"/usr/bin/g++", "-O2", "foo.cc", "-o", "foo"};
  expected.env = {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/w"};
  expected.files = {exec::Content{""}, exec::Collector{"stdout", 32_MiB, false},
                    exec::Collector{"stderr", 32_MiB, false}};
  expected.limits.cpu = std::chrono::seconds(10);
  expected.limits.clock = std::chrono::seconds(30);
  expected.limits.memory = 256_MiB;
  expected.limits.processes = 64;
  expected.copy_in = {{"foo.cc", exec::Content{"int main() {}\n"}},
                      {"testlib.h", exec::HostFile{"/srv/testlib.h"}}};
  expected.copy_out = {{"stdout", true}, {"stderr", true}};
  expected.copy_out_cached = {{"foo", false}};
  expected.copy_out_max = 32_MiB;
  EXPECT_EQ(*request, exec::Request{.commands = {expected}});
}

TEST(Golden, ResultsAreWrittenAsGoWritesThem) {
  expect_answer("results.json", encode_results(full_results(), {}));
}

TEST(Golden, ResultsInBase64AndWithFacts) {
  expect_answer("results_base64.json",
                encode_results(full_results(), {.encoding = exec::Encoding::Base64}));
  expect_answer("results_facts.json", encode_results(full_results(), {.wants_facts = true}));
}

TEST(Golden, AnswersOfTheSocket) {
  const auto results = full_results();
  const std::vector<exec::CommandResult> none;
  expect_answer("answer.json", encode_answer({.request_id = "r1", .results = &results}, {}));
  expect_answer("answer_empty.json",
                encode_answer({.request_id = "r2", .results = &none, .error = "no file"}, {}));
  expect_answer("answer_error.json", encode_answer({.error = "empty request id"}, {}));
}

TEST(Golden, MessagesOfTheSocket) {
  const auto cancel = decode_socket_message(golden("socket_cancel.json"));
  ASSERT_TRUE(cancel);
  ASSERT_TRUE(std::holds_alternative<Cancel>(*cancel));
  EXPECT_EQ(std::get<Cancel>(*cancel).request_id, "r1");
  const auto request = decode_socket_message(golden("request_full.json"));
  ASSERT_TRUE(request);
  EXPECT_EQ(std::get<exec::Request>(*request), full_request());
}

TEST(Golden, AResizeOfTheTerminal) {
  const auto resize = decode_resize(golden("resize.json"));
  ASSERT_TRUE(resize) << resize.error().context;
  EXPECT_EQ(resize->index, 1);
  EXPECT_EQ(resize->fd, 2);
  EXPECT_EQ(resize->rows, 24U);
  EXPECT_EQ(resize->columns, 80U);
  EXPECT_EQ(resize->x, 640U);
  EXPECT_EQ(resize->y, 65535U);
}

TEST(Golden, TheServerAboutItself) {
  expect_answer("version.json",
                encode_version({.build_version = "v1.12.2", .engine_version = "0.1.0"}));
  expect_answer("config.json", encode_config({.file_store_path = "/dev/shm/assay",
                                              .cgroup_type = 2,
                                              .cgroup_controllers = {"cpu", "memory", "pids"},
                                              .mounts = {{"/usr", "usr", "", "", 4097},
                                                         {"tmpfs", "w", "tmpfs", "size=128m", 0}},
                                              .links = {{"/dev/stdin", "/proc/self/fd/0"}},
                                              .masked_paths = {"/proc/kcore"},
                                              .host_name = "box",
                                              .domain_name = "box",
                                              .work_dir = "/w",
                                              .uid = 1536,
                                              .gid = 1536}));
  expect_answer("config_empty.json", encode_config({}));
}

TEST(Golden, TheListOfFilesIsSortedById) {
  expect_answer("files.json", encode_files({{"ZZ234567", "<b>.txt", 3_B}, {"AB234567", "", 0_B}}));
  EXPECT_EQ(encode_files({}), "{}");
}

}  // namespace
}  // namespace assay::wire
