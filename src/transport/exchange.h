// One request and its answer, on a connection.
#pragma once

#include <chrono>
#include <string>

#include "transport/context.h"
#include "transport/line.h"
#include "transport/parser.h"
#include "transport/routes.h"
#include "wire/judging.h"

namespace assay::transport {

class ProblemBody;

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
  Task<int> read_text(std::string& body, Budget::Lease& lease);
  Task<int> receive_more(std::size_t most);
  [[nodiscard]] std::chrono::milliseconds patience_for_body() const;
  Task<Answer> respond();
  Task<Answer> respond_to(Route route);
  Task<Answer> run_request();
  Task<Answer> add_file();
  Answer get_file();
  Answer delete_file();
  Answer upgrade();
  Answer ready() const;
  [[nodiscard]] bool is_websocket_handshake();
  static Answer bad_handshake();

  // Our own interface: judging_routes.cc.
  Task<Answer> respond_to_judging(Route route);
  Result<wire::SubmissionRequest> decode_order(const std::string& body, Budget::Lease& lease);
  Result<wire::SubmissionRequest> decode_form(const std::string& body, std::string boundary,
                                              service::Supply& supply) const;
  Task<Answer> submit_judging();
  Answer get_judging();
  Answer delete_judging();
  Task<Answer> tell_judging();
  Answer upgrade_to_feed(std::shared_ptr<service::Judging> judging);
  // Problems that are kept: problem_routes.cc.
  Result<judge::Problem> decode_problem(ProblemBody& body) const;
  Task<Result<judge::Problem>> load_package(ProblemBody& body);
  Task<Answer> put_problem();
  Answer get_problem();
  Answer delete_problem();

  // Processes that clients hold: process_routes.cc.
  Task<Answer> respond_to_process(Route route);
  Task<Answer> start_process();
  Task<Answer> feed_process();
  Task<Answer> read_process();

  // Normal-OJ's: noj_routes.cc.
  Task<Answer> respond_to_noj(Route route);
  Task<Answer> noj_submit();
  Answer noj_status();

  Task<bool> send(Answer answer);
  Task<bool> skip_body(Answer& answer);
  [[nodiscard]] bool is_allowed() const;
  [[nodiscard]] int status_of_trouble() const;
  Answer answer_to_trouble(int status);
  Answer affordable(Answer answer);
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
  // When the whole body must be there; where a byte now and then is enough, never.
  std::chrono::steady_clock::time_point body_due_ = std::chrono::steady_clock::time_point::max();
  Budget::Lease answer_lease_;  // of an answer, until it is sent
  bool continue_due_ = false;   // the client waits for "100 Continue"
  bool upgraded_ = false;
  bool streamed_ = false;  // the answer has been written already, up to its end
};

}  // namespace assay::transport
