// Hostile programs, names and variables through the API of a whole daemon, beside two canaries.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <optional>

#include "tests/end_to_end/command.h"
#include "tests/end_to_end/daemon.h"
#include "tests/support/attempts.h"
#include "tests/support/listener.h"
#include "tests/support/places.h"
#include "tests/support/traces.h"
#include "tests/transport/client.h"

namespace assay::test {
namespace {

using std::string;
using Strings = std::vector<string>;

string quoted(const string& text) {
  static const char* const kDigits = "0123456789abcdef";
  string out = "\"";
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == '\n') {
      out += "\\n";
      continue;
    }
    if (byte < 0x20) {
      out += string("\\u00") + kDigits[byte >> 4] + kDigits[byte & 15];
      continue;
    }
    if (letter == '"' || letter == '\\') out += '\\';
    out += letter;
  }
  return out + "\"";
}

string quoted(const Strings& texts) {
  string out;
  for (const string& text : texts)
    out += (out.empty() ? "[" : ",") + quoted(text);
  return out.empty() ? "[]" : out + "]";
}

// The text behind a key, of what the daemon wrote itself.
string text_of(const string& json, const string& key) {
  std::size_t at = json.find(quoted(key) + ":\"");
  if (at == string::npos) return "(no " + key + ")";
  string text;
  for (at += quoted(key).size() + 2; at < json.size() && json[at] != '"'; ++at) {
    if (json[at] != '\\') {
      text += json[at];
    } else if (json[++at] == 'u') {
      text += static_cast<char>(std::stoi(json.substr(at + 1, 4), nullptr, 16));
      at += 4;
    } else {
      text += json[at] == 'n' ? '\n' : json[at] == 't' ? '\t' : json[at];
    }
  }
  return text;
}

struct Order {
  Strings arguments{};
  Strings environment{"PATH=/usr/bin:/bin"};
  string input = R"({"content":""})";
  Strings copy_in{};  // "name":{…}
  Strings copy_out{};
};

string source_of(const string& name, const string& path) {
  return quoted(name) + R"(:{"src":)" + quoted(path) + "}";
}
string stored(const string& name, const string& id) {
  return quoted(name) + R"(:{"fileId":)" + quoted(id) + "}";
}
string guest_path(const string& name) {
  return tried_guests() + "/" + name;
}

// Root's, or a plain user's with subordinate ids and cgroups of his own.
bool has_full_boxes() {
  static const bool full =
      json_field(run_command({assay_binary(), "doctor", "--json"}).out, "full_box") == "true";
  return full;
}

class HostileRuns : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0 && !has_full_boxes()) GTEST_SKIP() << "needs full boxes";
    daemon_.emplace(Strings{"-http-addr=127.0.0.1:0"});
    ASSERT_TRUE(daemon_->says("\"ready\""));
    const string address = daemon_->field("address");
    port_ = static_cast<unsigned>(std::stoul(address.substr(address.rfind(':') + 1)));
    client_.emplace(port_);
  }
  void TearDown() override {
    EXPECT_TRUE(open_.is_untouched());
    EXPECT_TRUE(closed_.is_untouched());
  }

  // The result's JSON. Of the host's secrets nothing is in it.
  string run(const Order& order) {
    string copy_in;
    for (const string& each : order.copy_in)
      copy_in += (copy_in.empty() ? "" : ",") + each;
    const string body =
        R"({"cmd":[{"args":)" + quoted(order.arguments) + R"(,"env":)" + quoted(order.environment) +
        R"(,"files":[)" + order.input +
        R"(,{"name":"stdout","max":65536},{"name":"stderr","max":65536}],"cpuLimit":5000000000,)"
        R"("clockLimit":9000000000,"memoryLimit":67108864,"procLimit":50,"copyIn":{)" +
        copy_in + R"(},"copyOut":)" + quoted(order.copy_out) + "}]}";
    const auto answer = client_->ask("POST", "/run", body, "Content-Type: application/json\r\n");
    EXPECT_EQ(answer.status, 200) << answer.body;
    for (const Canary* canary : {&open_, &closed_})
      EXPECT_FALSE(answer.body.contains(canary->secret())) << answer.body;
    return answer.body;
  }
  string run_guest(const string& name, Strings arguments = {}) {
    arguments.insert(arguments.begin(), "./guest");
    return run(
        {.arguments = std::move(arguments), .copy_in = {source_of("guest", guest_path(name))}});
  }
  string store(const string& content) {
    const string body =
        "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\n" +
        content + "\r\n--edge--\r\n";
    const auto answer =
        client_->ask("POST", "/file", body, "Content-Type: multipart/form-data; boundary=edge\r\n");
    EXPECT_EQ(answer.status, 200) << answer.body;
    return answer.body.substr(1, answer.body.rfind('"') - 1);
  }
  string stored_file(const string& id) { return client_->ask("GET", "/file/" + id).body; }

  Canary open_{0644};
  Canary closed_{0600};
  std::optional<Daemon> daemon_;
  unsigned port_ = 0;
  std::optional<transport::Client> client_;
};

TEST_F(HostileRuns, NobodyGetsOut) {
  for (const Attempts& tried : all_attempts(open_.path())) {
    const string result = run_guest(tried.guest, tried.arguments);
    const string told = text_of(result, "stdout");
    EXPECT_EQ(successes(told, tried), Strings{}) << tried.guest;
    EXPECT_GT(count_attempts(told), 1U) << tried.guest << ": " << result;
  }
  EXPECT_EQ(text_of(run({.arguments = {"/bin/echo", "unharmed"}}), "stdout"), "unharmed\n");
}

TEST_F(HostileRuns, ACanaryIsNeverFound) {
  for (const Canary* canary : {&open_, &closed_}) {
    const string name = std::filesystem::path(canary->path()).filename();
    // The word itself would find itself in the guest's own arguments: half of it will do.
    const string result = run_guest("find_canary", {name, canary->secret().substr(6), "1"});
    EXPECT_EQ(text_of(result, "stdout"), "looked at much\n") << result;
  }
}

// Of the host's loopback, and the daemon's own: there is another one in the box.
TEST_F(HostileRuns, NobodyReachesADoorOfTheHost) {
  Listener door;
  const auto call = [](unsigned port) {
    return Strings{"/bin/bash", "-c",
                   "exec 3<>/dev/tcp/127.0.0.1/" + std::to_string(port) + " && echo connected"};
  };
  EXPECT_EQ(run_command(call(door.port())).out, "connected\n") << "outside of a box";
  EXPECT_TRUE(door.was_called());
  for (const unsigned port : {door.port(), port_}) {
    const string result = run({.arguments = call(port)});
    EXPECT_EQ(text_of(result, "stdout"), "") << result;
    EXPECT_EQ(text_of(result, "status"), "Nonzero Exit Status") << result;
  }
  EXPECT_FALSE(door.was_called());
}

// Its input, its program and its stdin are files of the store.
TEST_F(HostileRuns, AStoredFileIsAsItWasWhateverARunDoesToIt) {
  const string program = content_of(guest_path("overwrite_own_files"));
  const string text = store("original"), guest = store(program);
  const Order attack{.arguments = {"./guest"},
                     .input = R"({"fileId":)" + quoted(text) + "}",
                     .copy_in = {stored("guest", guest), stored("input", text)}};
  const Order by_shell{
      .arguments = {"/bin/sh", "-c",
                    "echo changed > input; chmod 777 input; truncate -s 0 input; rm guest; "
                    "echo x > guest; echo more >> /proc/self/fd/0; cat input guest"},
      .input = attack.input,
      .copy_in = attack.copy_in};
  for (const Order& order : {attack, by_shell}) {
    const string told = text_of(run(order), "stdout");
    EXPECT_FALSE(told.contains("stdin: done")) << told;
    EXPECT_TRUE(told.contains("input: done") || told == "x\n") << "it changed nothing: " << told;
    EXPECT_EQ(stored_file(text), "original");
    EXPECT_TRUE(stored_file(guest) == program);
    const string next = run({.arguments = {"/bin/sh", "-c", "cat - input"},
                             .input = attack.input,
                             .copy_in = attack.copy_in});
    EXPECT_EQ(text_of(next, "stdout"), "originaloriginal") << next;
  }
}

const Strings kOddNames{"-rf",  "--help", "$(id)", "`id`", ";id;", "a b",
                        "a\nb", "*",      "-",     "%s%n", "'\"",  "\\"};

TEST_F(HostileRuns, NamesAreNeverOptionsOrCode) {
  for (const string& name : kOddNames) {
    const string script = "#!/bin/sh\nprintf '%s' \"$1\" > \"./out$1\"; printf '%s' \"$1\"\n";
    const string in = quoted(name) + R"(:{"content":)" + quoted(script) + "}";
    const string result =
        run({.arguments = {"./" + name, name}, .copy_in = {in}, .copy_out = {"out" + name}});
    EXPECT_EQ(text_of(result, "status"), "Accepted") << name << ": " << result;
    EXPECT_EQ(text_of(result, "stdout"), name) << result;
    EXPECT_EQ(text_of(result, "out" + name), name) << result;
  }
}

// What a loader loads is the box's own, and runs when all holds.
TEST_F(HostileRuns, TheLoadersVariablesGiveNothingMore) {
  const string object = source_of("evil.so", guest_path("report_when_loaded.so"));
  for (const Strings& variables : {Strings{"LD_PRELOAD=/w/evil.so"}, Strings{"LD_AUDIT=/w/evil.so"},
                                   Strings{"LD_PRELOAD=evil.so", "LD_LIBRARY_PATH=/w"}}) {
    const string told = text_of(
        run({.arguments = {"/bin/sh", "-c", ":"}, .environment = variables, .copy_in = {object}}),
        "stdout");
    EXPECT_TRUE(told.starts_with("loaded\n")) << variables[0] << ": " << told;
    for (const string line : {"Seccomp:\t2\n", "NoNewPrivs:\t1\n", "CapEff:\t0000000000000000\n"})
      EXPECT_TRUE(told.contains(line)) << variables[0] << ": " << told;
    EXPECT_EQ(told.rfind("loaded\n"), 0U) << "it was loaded into more than the program: " << told;
  }
}

// What a submission prints is in its result, which people read in a browser and at a terminal.
TEST_F(HostileRuns, AResultIsPlainJsonWhateverWasPrinted) {
  const string source =
      "import sys\nfor stream in sys.stdout, sys.stderr:\n"
      "  stream.buffer.write(b'<script>alert(1)</script>\\x1b[2J\\xff\\xc0\\xaf\\r\\0 STATUS: "
      "AC\\n')";
  const auto sent = client_->ask(
      "POST", "/v1/submissions",
      R"({"submissionId":"fake","language":"python3","source":)" + quoted(source) +
          R"(,"problem":{"limits":{"cpuTimeMs":5000},"tests":[{"input":"","answer":"AC"}]}})",
      "Content-Type: application/json\r\n");
  ASSERT_TRUE(sent.status == 202 || sent.status == 200) << sent.body;
  string result;
  do {
    result = client_->ask("GET", "/v1/submissions/fake").body;
  } while (text_of(result, "status") != "Finished" && text_of(result, "status") != "Failed");
  EXPECT_EQ(text_of(result, "verdict"), "WA") << result;
  EXPECT_TRUE(result.contains("alert(1)")) << result;
  EXPECT_EQ(result.find_first_of(string("<>\x1b\r\0\xff", 6)), string::npos) << result;
  EXPECT_EQ(run_command({"/usr/bin/iconv", "-f", "UTF-8", "-t", "UTF-8"}, result).out, result);
}

}  // namespace
}  // namespace assay::test
