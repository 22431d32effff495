// assay: the command line. Options are declared here as tables; each subcommand lives in a file of
// its own.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <span>

#include "app/cli/attack_rows.h"
#include "app/cli/commands.h"
#include "os/standard_streams.h"

namespace assay::cli {
namespace {

struct TextOption {
  const char* name;
  std::string* into;
  const char* help;
};

// An empty value is a variable that is not set: taken for "not given", it would be no limit at all.
std::string not_empty(const std::string& text) {
  return text.empty() ? "must not be empty" : "";
}

void add(CLI::App& app, std::span<const TextOption> options) {
  for (const TextOption& option : options)
    app.add_option(option.name, *option.into, option.help)->check(not_empty);
}

void declare_exec(CLI::App& app, ExecOptions& o) {
  const TextOption texts[] = {
      {"--profile", &o.profile,
       "what the box looks like: a file of profiles/ (see 'assay profiles')"},
      {"--policy", &o.policy,
       "how facts become a verdict: a file of policies/ (see 'assay policies')"},
      {"--cpu", &o.cpu, "CPU time of the whole tree, e.g. 1s, 350ms"},
      {"--wall", &o.wall, "wall time"},
      {"--idle", &o.idle, "wall time without CPU progress"},
      {"--memory", &o.memory, "memory of the whole tree, e.g. 256MiB"},
      {"--stack", &o.stack, "stack (default: as much as memory)"},
      {"--address-space", &o.address_space, "address space (default: no limit)"},
      {"--output", &o.output, "bytes of stdout, of stderr, and of each file written"},
      {"--disk", &o.disk, "bytes in each writable place"},
      {"--inodes", &o.inodes, "files in each writable place"},
      {"--processes", &o.processes, "processes and threads"},
      {"--open-files", &o.open_files, "open files"},
      {"--cores", &o.cores, "cores to run on, e.g. 0 or 0-3,6"},
      {"--stdin", &o.input,
       "file for stdin, '-' for ours (default: ours, unless it is a terminal)"},
      {"--stdout", &o.out,
       "file for stdout, '-' for ours (default: ours; with --json: counted and dropped)"},
      {"--stderr", &o.err, "file for stderr, '-' for ours (default: as --stdout)"},
  };
  add(app, texts);
  app.add_option("--in", o.files_in,
                 "NAME=HOSTFILE: copy a file into the box; keeps the executable bit")
      ->allow_extra_args(false);
  app.add_option("--out", o.files_out, "NAME=HOSTFILE: copy a file out of the box afterwards")
      ->allow_extra_args(false);
  app.add_option("--env", o.environment, "NAME=VALUE: set a variable")->allow_extra_args(false);
  app.add_option("--mount", o.mounts,
                 "HOSTPATH=TARGET: see a host path, read-only; the profile must allow it")
      ->allow_extra_args(false);
  app.add_option("--mount-writable", o.writable_mounts, "HOSTPATH=TARGET: the same, writable")
      ->allow_extra_args(false);
  app.add_flag("--json", o.json, "print one JSON object instead of a summary");
  app.add_flag("--quiet", o.quiet, "print no summary");
  app.add_flag("--allow-degraded", o.allow_degraded,
               "accept a box without cgroups or without ids of its own");
  app.add_option("argv", o.argv, "the program and its arguments, after --")->required();
}

void declare_box(CLI::App& app, BoxOptions& o) {
  declare_exec(app, o.exec);
  app.add_option("--dir", o.directory,
                 "directory for the pipes: wait, status, info, downward (stdin), upward (stdout)")
      ->required();
  const TextOption texts[] = {
      {"--pipe-suffix", &o.suffix, "added to the names of the pipes, e.g. .pipe"},
      {"--wait-polarity", &o.wait_polarity,
       "seed: 0 terminates and 1 continues; legacy: the opposite (default: as the policy says)"},
      {"--grace", &o.grace,
       "time to end by itself after termination was asked for (default: 50ms)"},
      {"--language", &o.language,
       "what follows -- are source files: compile and run them (see 'assay languages')"},
      {"--expire", &o.expire, "terminate after so long without a request (default: never)"},
  };
  add(app, texts);
}

void declare_judge(CLI::App& app, JudgeCommand& o) {
  const TextOption texts[] = {
      {"--problem", &o.problem,
       "directory with a problem.toml, or Normal-OJ's meta.json (default: here)"},
      {"--language", &o.language, "see 'assay languages' (default: by the file's ending)"},
      {"--policy", &o.policy,
       "how facts become a verdict (see 'assay policies'; default: assay, or noj with a "
       "meta.json)"},
      {"--stop", &o.stop, "after a failure: none, first or group (default: as the problem says)"},
      {"--cache", &o.cache,
       "directory of what was compiled before (default: /var/cache/assay for root, else "
       "~/.cache/assay)"},
      {"--cache-level", &o.cache_level,
       "what is remembered: none, transient, compilation or all (default: compilation)"},
  };
  add(app, texts);
  app.add_option("--flag", o.flags, "a further flag for the compiler: --flag=-O3")
      ->allow_extra_args(false);
  app.add_option("--jobs", o.jobs, "tests at the same time (default: as many as cores)")
      ->check(CLI::Range(1, 256));
  app.add_option("--soft", o.soft,
                 "let a run take so many times its time limit, and say what it would have got")
      ->check(CLI::Range(1.0, 100.0));
  app.add_option("--rerun", o.reruns, "run a test that ends near its limit again, so many times")
      ->check(CLI::Range(0, 20));
  app.add_option("--margin", o.margin, "what is near, in per cent of the limit (default: 10)")
      ->check(CLI::Range(0.1, 100.0));
  app.add_option("--count", o.counts, "which of several runs counts: fastest (default) or slowest")
      ->check(CLI::IsMember({"fastest", "slowest"}));
  app.add_flag("--sanitize", o.sanitize,
               "compile with sanitizers; what they report is flagged, and time does not count");
  app.add_flag("--profile", o.profile, "say on stderr where the time went");
  app.add_flag("--lint", o.lint, "check the syntax first, where the language has a check");
  app.add_flag("--json", o.json, "print the whole result as one JSON object");
  app.add_flag("--dialogue", o.dialogue,
               "with --json: what was said in each test of an interactive problem, too");
  app.add_flag("--allow-degraded", o.allow_degraded,
               "accept boxes without cgroups or without ids of their own");
  app.add_option("files", o.files, "the source files of the submission")->required();
}

void declare_interact(CLI::App& app, InteractCommand& o) {
  app.add_option("solution", o.solution, "the solution's source file")->required();
  app.add_option("--interactor", o.interactor, "the interactor's source file")->required();
  app.add_option("--input", o.input, "the test's input, for the interactor")->required();
  const TextOption texts[] = {
      {"--answer", &o.answer, "the test's answer, for the interactor (default: empty)"},
      {"--language", &o.language, "of the solution (default: by the file's ending)"},
      {"--interactor-language", &o.interactor_language, "(default: by the file's ending)"},
      {"--protocol", &o.protocol, "of the interactor: testlib (default) or icpc"},
      {"--policy", &o.policy, "how facts become a verdict (see 'assay policies')"},
      {"--cpu", &o.cpu, "CPU time of the solution (default: 1s)"},
      {"--memory", &o.memory, "memory of the solution (default: 256MiB)"},
      {"--pio", &o.pio,
       "write the dialogue to this file, in the format of its ending: .pio, .interaction, .pin "
       "(what the interactor said) or .pout (what the solution said)"},
  };
  add(app, texts);
  app.add_flag(
      "--terminal", o.terminal,
      "the solution's stdin and stdout are terminals, at which C's stdio and most runtimes write "
      "line by line: such a solution need not flush");
  app.add_flag("--json", o.json, "print the whole result as one JSON object");
  app.add_flag("--allow-degraded", o.allow_degraded,
               "accept boxes without cgroups or without ids of their own");
}

struct Everything {
  ExecOptions exec;
  BoxOptions box;
  JudgeCommand judge;
  InteractCommand interact;
  BenchOptions bench;
  AttackCommand attack;
  bool attack_degraded = false;
  CacheCommand cache;
  bool json = false;
};

void declare_bench(CLI::App& app, BenchOptions& o) {
  app.add_option(
         "name", o.name,
         "overhead, throughput, fidelity, kill, soak, memory, http, relay, neighbour or judge")
      ->required();
  app.add_option("--runs", o.runs, "how many runs")->check(CLI::Range(1, 1'000'000'000));
  app.add_option("--minutes", o.minutes,
                 "soak: for so long, through the API of a daemon of its own")
      ->check(CLI::PositiveNumber);
  app.add_flag("--hostile", o.hostile,
               "soak: hostile programs beside the honest ones (10 minutes, unless said)");
  app.add_option("--peer", o.peer,
                 "http: measure this server too, in turns (http://127.0.0.1:PORT)");
  app.add_flag("--json", o.json, "machine-readable");
}

void declare_attack(CLI::App& app, Everything& all) {
  AttackCommand& o = all.attack;
  app.add_option("row", o.rows, "only these (see --list)");
  app.add_flag("--list", o.list, "name them and try nothing");
  app.add_flag("--verbose", o.verbose, "a line on stderr for every attempt, as soon as it is over");
  app.add_flag("--allow-degraded", all.attack_degraded,
               "try what boxes without cgroups or without ids of their own can stop, too");
  app.add_flag("--json", o.json, "machine-readable");
}

void declare_cache(CLI::App& app, CacheCommand& o) {
  app.add_option("action", o.action,
                 "size: how large it is; clear: remove all; verify: remove what is damaged "
                 "(default: size)");
  app.add_option("--cache", o.directory, "its directory (default: as of 'assay judge')");
  app.add_flag("--json", o.json, "machine-readable");
}

using Engine = std::optional<Result<sandbox::Sandbox>>;

struct Command {
  std::string_view name;
  const char* help;
  void (*declare)(CLI::App&, Everything&);
  int (*run)(Everything&, Engine&);
};

void declare_json(CLI::App& app, Everything& all) {
  app.add_flag("--json", all.json, "machine-readable");
}

constexpr std::array kCommands{
    Command{"exec", "run one program in a box",
            [](CLI::App& app, Everything& all) { declare_exec(app, all.exec); },
            [](Everything& all, Engine& engine) {
              return exec(all.exec, engine ? *std::move(engine) : start_exec_engine());
            }},
    Command{"box", "run one program in a box and drive it through named pipes, step by step",
            [](CLI::App& app, Everything& all) { declare_box(app, all.box); },
            [](Everything& all, Engine&) {
              return hold(all.box);
            }},
    Command{"judge", "judge a submission: compile it, run the tests, check, score",
            [](CLI::App& app, Everything& all) { declare_judge(app, all.judge); },
            [](Everything& all, Engine&) {
              return judge_files(all.judge);
            }},
    Command{"interact", "let a solution talk with an interactor, and show what they said",
            [](CLI::App& app, Everything& all) { declare_interact(app, all.interact); },
            [](Everything& all, Engine&) {
              return interact(all.interact);
            }},
    Command{"doctor", "say what this host offers, what is missing, and how to mend it",
            declare_json,
            [](Everything& all, Engine&) {
              return doctor({.json = all.json});
            }},
    Command{"bench", "measure the promises of docs/SPECIFICATION.md on this machine",
            [](CLI::App& app, Everything& all) { declare_bench(app, all.bench); },
            [](Everything& all, Engine&) {
              return bench(all.bench);
            }},
    Command{"attack",
            "try every known class of attack on the engine of this host, and say what stops it; "
            "exit code 0: all are stopped, 1: some are not, 3: some could not be tried here",
            declare_attack,
            [](Everything& all, Engine&) {
              if (all.attack_degraded) allow_degraded_attempts();
              return attack(all.attack);
            }},
    Command{"cache", "look after what 'assay judge' compiled before",
            [](CLI::App& app, Everything& all) { declare_cache(app, all.cache); },
            [](Everything& all, Engine&) {
              return cache(all.cache);
            }},
    Command{"profiles", "list the profiles", declare_json,
            [](Everything& all, Engine&) {
              return list_profiles(all.json);
            }},
    Command{"policies", "list the policies", declare_json,
            [](Everything& all, Engine&) {
              return list_policies(all.json);
            }},
    Command{"languages", "list the languages, what is installed, and what would install the others",
            declare_json,
            [](Everything& all, Engine&) {
              return list_languages(all.json);
            }},
};

// CLI11 takes a third of a millisecond to declare all of them, and a cold start feels it: whoever
// names one gets that one.
std::span<const Command> commands_for(std::string_view word) {
  const auto named = std::ranges::find(kCommands, word, &Command::name);
  return named == kCommands.end() ? std::span<const Command>(kCommands)
                                  : std::span<const Command>(&*named, 1);
}

int parse_and_run(int argc, char** argv) {
  const std::string_view word = argc > 1 ? argv[1] : "";
  const std::span<const Command> commands = commands_for(word);
  if (commands.size() > 1 && !word.empty() && !word.starts_with('-'))
    return failed("there is no subcommand '" + std::string(word) + "'; 'assay --help' names them");
  Engine engine;
  if (word == "exec") engine = start_exec_engine();
  Everything all;
  CLI::App app{"assay runs untrusted programs, measures them exactly and judges them", "assay"};
  app.require_subcommand(1);
  app.set_version_flag("--version", "assay 0.1.0");
  app.failure_message([](const CLI::App*, const CLI::Error& error) {
    return "assay: " + std::string(error.what()) + "\n";
  });
  for (const Command& command : commands)
    command.declare(*app.add_subcommand(std::string(command.name), command.help), all);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? kGood : kFailed;
  }
  for (const Command& command : commands)
    if (app.got_subcommand(std::string(command.name))) return command.run(all, engine);
  return kFailed;
}

}  // namespace
}  // namespace assay::cli

int main(int argc, char** argv) {
  assay::os::fill_standard_streams();
  std::signal(SIGPIPE, SIG_IGN);  // a reader that has gone is an error of write(), not our end
  return assay::cli::parse_and_run(argc, argv);
}
