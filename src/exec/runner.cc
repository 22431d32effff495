#include "exec/runner.h"

#include <algorithm>

#include "exec/errand.h"
#include "exec/joints.h"

namespace assay::exec {
namespace {

constexpr std::size_t kMostCommands = 64;

bool is_live(const File& file) {
  return std::holds_alternative<StreamIn>(file) || std::holds_alternative<StreamOut>(file);
}

Status check_command(const Command& command, bool live) {
  if (!live && std::ranges::any_of(command.files, is_live))
    return invalid("stream in / out are not available here: use /stream");
  return {};
}

using Errands = std::vector<std::unique_ptr<Errand>>;

// Those that are to run, and their specs.
struct Departure {
  std::vector<Errand*> errands{};
  std::vector<sandbox::Spec> specs{};
};

Departure depart(const Errands& errands) {
  Departure departure;
  for (const auto& errand : errands) {
    if (errand->refusal()) continue;
    departure.errands.push_back(errand.get());
    departure.specs.push_back(errand->spec());
  }
  return departure;
}

std::vector<LiveStream> gather_live(const Errands& errands) {
  std::vector<LiveStream> all;
  for (const auto& errand : errands)
    for (LiveStream& stream : errand->take_live())
      all.push_back(std::move(stream));
  return all;
}

CommandResult failed(const Error& error) {
  return {.status = RunStatus::InternalError, .error = describe(error)};
}

}  // namespace

struct Runner::Inside {
  sandbox::Sandbox& sandbox;
  store::Store& store;
  OpenHostFile open_host_file;
  Rules rules;
};

Runner::Runner(sandbox::Sandbox& sandbox, store::Store& store, OpenHostFile open_host_file,
               Rules rules)
    : inside_(
          std::make_unique<Inside>(sandbox, store, std::move(open_host_file), std::move(rules))) {}
Runner::~Runner() = default;

Status Runner::check(const Request& request, bool live) const {
  if (request.commands.size() > kMostCommands)
    return invalid("a request has at most " + std::to_string(kMostCommands) + " commands");
  for (const Command& command : request.commands)
    TRY_STATUS(check_command(command, live));
  return {};
}

Result<std::vector<CommandResult>> Runner::run(const Request& request, const Session& session) {
  // Pipes join two commands; go-judge drops the mapping of a single one, right or wrong.
  if (request.commands.size() == 1 && !request.pipes.empty()) {
    Request alone = request;
    alone.pipes.clear();
    return run(alone, session);
  }
  TRY_STATUS(check_joints(request));
  Joints joints = TRY(Joints::make(request));
  const Surroundings around{request,        inside_->rules, session, inside_->open_host_file,
                            inside_->store, joints};
  Errands errands;
  std::vector<std::vector<unsigned>> cores;
  for (std::size_t i = 0; i < request.commands.size(); ++i) {
    errands.push_back(TRY(Errand::prepare(around, i)));
    cores.push_back(errands.back()->spec().cores);
  }
  for (std::size_t i = 0; i < errands.size(); ++i)
    if (errands[i]->refusal())
      joints.abandon(static_cast<int>(i));
    else
      TRY_STATUS(errands[i]->start_relays());
  if (auto live = gather_live(errands); !live.empty() && session.on_streams)
    session.on_streams(std::move(live));
  if (const Status started = joints.start_relays(cores); !started) {
    joints.finish();  // those that were started wait for ends that only we have
    return std::unexpected(started.error());
  }

  const Departure departure = depart(errands);
  auto facts = inside_->sandbox.run_together(departure.specs, session.control);
  std::vector<Joints::Kept> kept = joints.finish();
  std::vector<CommandResult> results;
  for (std::size_t i = 0, next = 0; i < errands.size(); ++i) {
    if (errands[i]->refusal()) {
      results.push_back(*errands[i]->refusal());
    } else if (!facts) {
      results.push_back(failed(facts.error()));
    } else {
      std::vector<Joints::Kept> mine;
      for (Joints::Kept& one : kept)
        if (one.index == static_cast<int>(i)) mine.push_back(std::move(one));
      results.push_back(errands[i]->finish(std::move((*facts)[next++]), std::move(mine)));
    }
  }
  return results;
}

}  // namespace assay::exec
