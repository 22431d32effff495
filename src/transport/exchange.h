// One request and its answer, on a connection.
#pragma once

#include <chrono>
#include <string>

#include "transport/context.h"
#include "transport/line.h"
#include "transport/parser.h"
#include "transport/routes.h"

namespace assay::transport {

class Exchange {
 public:
  // `unread` is what the connection has received beyond the last request.
  Exchange(Context& context, Line& line, std::string& unread, Door door);

  enum class Next { Again, Close, Upgraded };
  // `before` says what the peer is until its first byte: a draining server ends idle ones, but not
  // one that has just come and is about to ask.
  Task<Next> run(Phase before);

 private:
  // A trouble that ends the request, as a status; 0: none, -1: nobody is there to be told.
  static constexpr int kFine = 0;
  static constexpr int kGone = -1;

  Task<int> read_head(Phase before);
  Task<int> read_body();
  Task<int> receive_more(std::size_t most);
  Task<Answer> respond();
  Task<Answer> respond_to(Route route);
  Task<Answer> run_request();
  Task<Answer> add_file();
  Answer get_file();
  Answer delete_file();
  Answer upgrade();
  Answer ready() const;
  Task<bool> send(Answer answer);
  Task<bool> skip_body(Answer& answer);
  [[nodiscard]] bool is_allowed() const;
  [[nodiscard]] int status_of_trouble() const;
  Answer answer_to_trouble(int status);
  void note(const Answer& answer) const;

  Context& context_;
  const Limits& limits_;
  Line& line_;
  std::string& unread_;
  Door door_;
  Parser parser_;
  Matched matched_{};
  std::chrono::steady_clock::time_point began_{};
  std::uint64_t received_ = 0;
  bool continue_due_ = false;  // the client waits for "100 Continue"
  bool upgraded_ = false;
};

}  // namespace assay::transport
