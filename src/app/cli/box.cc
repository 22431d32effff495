// `assay box`: a program in a box, held by named pipes. This process keeps the caller's rights and
// does nothing but open the pipes and wait; a child without rights runs the program and talks.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <thread>

#include "app/cli/box_info.h"
#include "app/cli/box_source.h"
#include "app/cli/commands.h"
#include "app/cli/exec_report.h"
#include "app/cli/exec_spec.h"
#include "app/cli/unprivileged.h"
#include "held/ferry.h"
#include "held/server.h"
#include "os/file.h"
#include "sandbox/limits.h"
#include "sandbox/profile.h"
#include "verdict/judge.h"

namespace assay::cli {
namespace {

// A program that closes its output and goes on is shown to have done so a little later.
constexpr Nanoseconds kFromOutputToEnd = std::chrono::milliseconds(200);

struct HoldRules {
  verdict::WaitPolarity polarity{};
  Nanoseconds grace{};
  std::optional<Nanoseconds> expire{};
};

Result<HoldRules> read_rules(const BoxOptions& options, const verdict::HeldRules& policy) {
  constexpr Nanoseconds kGrace = std::chrono::milliseconds(50);
  HoldRules rules{.polarity = policy.wait, .grace = policy.grace.value_or(kGrace)};
  if (options.wait_polarity == "seed")
    rules.polarity = verdict::WaitPolarity::ZeroTerminates;
  else if (options.wait_polarity == "legacy")
    rules.polarity = verdict::WaitPolarity::OneTerminates;
  else if (!options.wait_polarity.empty())
    return invalid("--wait-polarity is seed or legacy, not '" + options.wait_polarity + "'");
  const auto duration = [](const char* option, const std::string& text) {
    auto value = parse_duration(text);
    if (!value) value.error().context = std::string(option) + ": " + value.error().context;
    return value;
  };
  if (!options.grace.empty()) rules.grace = TRY(duration("--grace", options.grace));
  if (!options.expire.empty()) {
    rules.expire = TRY(duration("--expire", options.expire));
    if (rules.expire->count() == 0) return invalid("--expire: must be more than 0");
  }
  return rules;
}

// What `assay exec` would run, but for the two streams, which are pipes of ours.
Result<ExecOptions> without_streams(ExecOptions options) {
  if (!options.input.empty())
    return invalid("--stdin: the program of 'assay box' reads the pipe 'downward'");
  if (!options.out.empty())
    return invalid("--stdout: the program of 'assay box' writes to the pipe 'upward'");
  options.input = options.out = "/dev/null";
  return options;
}

struct ProgramPipes {
  os::Pipe input, output;  // the box's ends are blocking, ours are not
};

Result<ProgramPipes> make_pipes() {
  ProgramPipes pipes{.input = TRY(os::make_pipe()), .output = TRY(os::make_pipe())};
  for (const int ours : {pipes.input.write_end.get(), pipes.output.read_end.get()})
    if (::fcntl(ours, F_SETFL, O_NONBLOCK) < 0) return system_error("set up a pipe");
  return pipes;
}

struct Held {
  sandbox::Sandbox& box;
  PreparedRun& run;
  const std::optional<HeldSource>& source;
  const verdict::Policy& policy;
  const HoldRules& rules;
  const ExecOptions& options;
};

// Ends whatever is under way: the compiler, or the program.
struct Remotes {
  judge::Cancellation compiling{};
  sandbox::Control running{};

  held::Remote remote() {
    return {.usage = [this](sandbox::Section section) { return running.usage(section); },
            .cancel =
                [this](sandbox::CutOff why) {
                  compiling.cancel();
                  running.cancel(why);
                }};
  }
};

Result<held::Ended> run_in_box(Held& held, Remotes& remotes) {
  sandbox::Spec& spec = held.run.spec;
  std::optional<judge::Program> program;  // the spec borrows its files
  if (held.source) {
    judge::Compiled compiled =
        TRY(judge::compile(held.box, held.source->order, held.policy, remotes.compiling));
    if (!compiled.program) return held::Ended{.no_start = why_not_compiled(compiled)};
    program = std::move(compiled.program);
    add_program(*held.source, *program, held.policy, spec);
  }
  return held::Ended{.facts = TRY(held.box.run(spec, &remotes.running))};
}

// A program that never started has not closed its ends: whoever reads must find the end.
Result<held::Ended> run_program(Held& held, ProgramPipes& pipes, Remotes& remotes) {
  held.run.spec.input = sandbox::Handed{&pipes.input.read_end};
  held.run.spec.output = sandbox::Handed{&pipes.output.write_end};
  auto ended = run_in_box(held, remotes);
  pipes.input.read_end.reset();
  pipes.output.write_end.reset();
  return ended;
}

Result<held::Reading> serve(Held& held, held::Doors& doors) {
  ProgramPipes pipes = TRY(make_pipes());
  Remotes remotes;
  held::Process process(remotes.remote(), held.rules.grace);
  held::Ferry::Plan plan{.to_program = std::move(pipes.input.write_end),
                         .from_program = std::move(pipes.output.read_end),
                         .limit = held.run.spec.limits.output};
  plan.over_limit = [&] {
    process.cancel(sandbox::CutOff::Output);
  };
  plan.before_end = [&] {
    process.await_end(kFromOutputToEnd);
  };
  held::Ferry ferry = TRY(held::Ferry::start(doors, std::move(plan)));
  held::Server server(doors, process,
                      {.polarity = held.rules.polarity,
                       .info = info_json,
                       .before_termination = [&] { ferry.discard_output(); },
                       .expire = held.rules.expire});
  std::thread running([&] { process.ended(run_program(held, pipes, remotes)); });
  auto last = server.serve();
  process.cancel(sandbox::CutOff::Terminated);  // it is over, unless we failed
  running.join();
  if (const auto failure = process.failure()) return std::unexpected(*failure);
  return last;
}

int serve_and_report(Held& held, held::Doors& doors) {
  const auto last = serve(held, doors);
  if (!last) return failed(describe(last.error()));
  if (held.options.json && last->facts) {
    const auto judgement = verdict::judge(*last->facts, held.policy);
    if (!os::write_all(STDOUT_FILENO, json_report(*last->facts, judgement)))
      return failed("could not write the report to stdout");
  }
  return kGood;
}

// Until the child has ended or somebody wants us to: then it dies, and the program with it.
Result<int> await(os::Process child, int signals) {
  std::array<pollfd, 2> waiting{pollfd{child.pidfd(), POLLIN, 0}, pollfd{signals, POLLIN, 0}};
  while (::poll(waiting.data(), waiting.size(), -1) < 0 && errno == EINTR) {
  }
  if (waiting[0].revents == 0) {
    signalfd_siginfo received{};
    (void)!::read(signals, &received, sizeof received);
    return invalid("ended by " + sandbox::name_of_signal(static_cast<int>(received.ssi_signo)));
  }
  const int status = child.wait();
  if (!WIFEXITED(status))
    return invalid("the unprivileged part was killed by signal " +
                   std::to_string(WTERMSIG(status)));
  return WEXITSTATUS(status);
}

Result<os::OwnedFd> catch_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    ::sigaddset(&set, signal);
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  os::OwnedFd fd(::signalfd(-1, &set, SFD_CLOEXEC));
  if (!fd.is_open()) return system_error("wait for signals");
  return fd;
}

// The child is started before the usher has threads. Whoever started us reads the directory's name
// when there are pipes in it.
Result<int> serve_beside(Held& held, held::Usher usher, const std::string& directory) {
  const os::OwnedFd signals = TRY(catch_signals());
  held::Doors doors = usher.doors();
  os::Process child = TRY(start_unprivileged([&] { return serve_and_report(held, doors); }));
  {
    const held::Doors for_the_child_alone = std::move(doors);
  }
  usher.serve();
  if (!held.options.quiet) (void)os::write_all(STDOUT_FILENO, directory + "\n");
  return await(std::move(child), signals.get());
}

// Where the options say nothing. What a source has besides is its language's: add_program.
Status add_limits_of(const verdict::Policy& policy, const std::string& profile, bool has_source,
                     sandbox::Limits& limits) {
  if (!limits.output) limits.output = policy.limits.output;
  if (has_source) return {};
  const sandbox::Profile usual = TRY(sandbox::load_profile(profile_directory(), profile));
  const auto memory = limits.memory ? limits.memory : usual.limits.memory;
  limits = sandbox::merge_limits(limits, judge::limits_of_policy(policy, memory));
  return {};
}

Result<int> hold_in_box(const BoxOptions& options) {
  std::optional<HeldSource> source;
  if (!options.language.empty()) source = TRY(read_held_source(options));
  const ExecOptions exec = TRY(without_streams(options.exec));
  PreparedRun run = TRY(prepare_run(exec));
  const verdict::Policy policy = TRY(verdict::load_policy(policy_directory(), options.exec.policy));
  const HoldRules rules = TRY(read_rules(options, policy.held));
  TRY_STATUS(add_limits_of(policy, options.exec.profile, source.has_value(), run.spec.limits));
  sandbox::Sandbox box = TRY(start_exec_engine(source ? Runs::Many : Runs::One));
  if (options.exec.allow_degraded) box.accept_degraded();
  if (!source) TRY_STATUS(box.order_ahead(run.spec));
  TRY_STATUS(box.know(options.exec.profile));
  for (const std::string& profile : source ? source->profiles : std::vector<std::string>{})
    TRY_STATUS(box.know(profile));
  TRY_STATUS(check_run(run));
  TRY_STATUS(open_outputs(run, exec));
  held::Fifos fifos = TRY(held::Fifos::make(options.directory, options.suffix));
  held::Usher usher = TRY(held::Usher::make(std::move(fifos)));
  Held held{box, run, source, policy, rules, options.exec};
  const int code = TRY(serve_beside(held, std::move(usher), options.directory));
  if (code == kFailed) return code;
  for (PendingFile& output : run.outputs)
    TRY_STATUS(output.publish());
  return code;
}

}  // namespace

int hold(const BoxOptions& options) {
  const auto code = hold_in_box(options);
  return code ? *code : failed(describe(code.error()));
}

}  // namespace assay::cli
