// The subcommands of `assay`: what each takes, and where it begins. Parsing is in main.cc, the only
// file that knows CLI11.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sandbox/sandbox.h"

namespace assay::cli {

// Exit codes of every subcommand.
constexpr int kGood = 0;     // it did what was asked, and the answer is "yes"
constexpr int kNotGood = 1;  // it did what was asked, and the answer is "no"
constexpr int kFailed = 2;   // a usage error or our own failure, with one clear line on stderr

struct ExecOptions {
  std::string profile = "default";
  std::string policy = "assay";
  std::string cpu{}, wall{}, idle{}, memory{}, stack{}, address_space{}, output{}, disk{};
  std::string processes{}, open_files{}, inodes{}, cores{};
  std::string input{}, out{}, err{};
  std::vector<std::string> files_in{}, files_out{}, environment{}, mounts{}, writable_mounts{};
  std::vector<std::string> argv{};
  bool json = false;
  bool allow_degraded = false;
  bool quiet = false;
};
// The engine is started before anybody has read the options: it has work to do meanwhile.
enum class Runs { One, Many };
Result<sandbox::Sandbox> start_exec_engine(Runs runs = Runs::One);
int exec(const ExecOptions& options, Result<sandbox::Sandbox> engine);

struct BoxOptions {
  ExecOptions exec{.policy = "turingarena"};
  std::string directory{};      // of the pipes
  std::string suffix{};         // of their names
  std::string wait_polarity{};  // seed or legacy; empty: as the policy says
  std::string grace{};          // empty: as the policy says
  std::string expire{};         // empty: never
  std::string language{};       // argv are source files to compile; empty: argv is the program
};
int hold(const BoxOptions& options);

struct DoctorOptions {
  bool json = false;
};
int doctor(const DoctorOptions& options);

struct BenchOptions {
  std::string
      name{};  // overhead, throughput, fidelity, kill, soak, memory, http, relay, neighbour, judge
  std::uint64_t runs = 0;  // 0: the bench's own default
  double minutes = 0;      // soak: so long through the API of a daemon, instead of runs
  bool hostile = false;    // soak: beside hostile programs
  std::string peer{};      // http: another server, measured in turns
  bool json = false;
};
int bench(BenchOptions options);

struct AttackCommand {
  std::vector<std::string> rows{};  // empty: all
  bool list = false;
  bool json = false;
  bool verbose = false;  // a line on stderr for every attempt
};
int attack(const AttackCommand& command);

struct JudgeCommand {
  std::string problem = ".";  // its directory
  std::string language{};     // empty: by the first file's ending
  std::string policy{};       // empty: as the problem's format means it
  std::string stop{};         // empty: as the problem says
  std::string cache{};        // its directory; empty: the usual one
  std::string cache_level = "compilation";
  std::vector<std::string> flags{};
  std::vector<std::string> files{};
  unsigned jobs = 0;  // 0: as many as there are cores
  double soft = 1;    // times the limit that a run may take
  unsigned reruns = 0;
  double margin = 10;  // per cent of the limit
  std::string counts = "fastest";
  bool sanitize = false;
  bool lint = false;
  bool dialogue = false;
  bool profile = false;
  bool json = false;
  bool allow_degraded = false;
};
int judge_files(const JudgeCommand& command);

// One solution and one interactor on one input.
struct InteractCommand {
  std::string solution{}, interactor{}, input{}, answer{};
  std::string language{}, interactor_language{};  // empty: by the ending
  std::string protocol = "testlib";
  std::string policy = "assay";
  std::string cpu = "1s", memory = "256MiB";
  std::string pio{};  // a file for the dialogue
  bool terminal = false;
  bool json = false;
  bool allow_degraded = false;
};
int interact(const InteractCommand& command);

struct CacheCommand {
  std::string action = "size";  // size, clear, verify
  std::string directory{};      // empty: the usual one
  bool json = false;
};
int cache(const CacheCommand& command);

int list_profiles(bool json);
int list_policies(bool json);
int list_languages(bool json);  // with what is installed

// The directories of data files: beside the installation, else in the source tree this binary was
// built from.
std::string profile_directory();
std::string policy_directory();
std::string language_directory();
std::string attack_directory();
std::string attempt_directory();  // the programs that try the attacks
std::string guest_directory();    // what they run in boxes

// One line on stderr, and kFailed.
int failed(const std::string& sentence);

}  // namespace assay::cli
