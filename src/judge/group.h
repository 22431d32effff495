// Programs that run together in boxes of their own, joined by pipes that we stand in. Whoever ends
// is known to have ended before the others can see it: what one does because of another's end never
// comes first.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "exec/relay.h"
#include "judge/cancellation.h"

namespace assay::judge {

// What one program writes to a descriptor of its own and another reads from one of its own.
struct Channel {
  // What the program has there. Fifo: it opens it itself, by exec::fifo_path(descriptor). Terminal:
  // its libraries then write line by line, and no byte is changed.
  enum class As { Pipe, Fifo, Terminal };
  struct End {
    std::size_t program = 0;
    unsigned descriptor = 0;
    As as = As::Pipe;
  };
  End writer{};
  std::optional<End> reader{};
  int sink = -1;                    // without a reader: a file of ours, borrowed
  std::optional<Bytes> limit{};     // past it the writer has broken its output limit,
  bool discard_rest = false;        // or goes on, and the bytes are lost
  Bytes keep{};                     // the beginning, for GroupRun::kept
  std::optional<unsigned> voice{};  // in the transcript; none: not noted
  exec::Relay::ReaderGone reader_gone = exec::Relay::ReaderGone::Drain;
};

// What the end of a program means for the others. Nothing: they see the end of its streams.
// LetDecide: who reads from it first gets the time to end on what it has read so far, so that a
// wrong answer before a crash stays a wrong answer. EndOthers: they are ended with it (CutOff::
// Peer), after `grace`.
enum class Aftermath { Nothing, LetDecide, EndOthers };

struct Group {
  std::vector<sandbox::Spec> programs{};  // their joined descriptors are filled in here
  std::vector<Channel> channels{};
  exec::Transcript* transcript = nullptr;
  // Asked on another thread when a program has ended. Empty: Nothing.
  std::function<Aftermath(std::size_t program, const sandbox::End&, sandbox::CutOff)> aftermath{};
  Nanoseconds grace{};
};

struct GroupRun {
  std::chrono::steady_clock::time_point begun{};  // not before there were cores for it
  std::vector<sandbox::Facts> facts{};            // with the bytes of the channels in their streams
  std::vector<exec::Relay::Counts> channels{};
  std::vector<std::string> kept{};  // by channel
  // [a][b]: a was told of b's end while it still ran.
  std::vector<std::vector<bool>> told{};
  // [a][b]: when a ended, somebody had been told of b's end.
  std::vector<std::vector<bool>> after{};
};

// One core for each program, if cores are lent and there are as many. An Error is ours.
Result<GroupRun> run_group(sandbox::Sandbox& engine, Group group, Cancellation& cancellation);

}  // namespace assay::judge
