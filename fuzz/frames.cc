// What comes over a connection, in whatever pieces it comes.
#include <optional>
#include <vector>

#include "base/check.h"
#include "fuzz/slices.h"
#include "fuzz/targets.h"
#include "transport/multipart.h"
#include "transport/parser.h"
#include "transport/stream_frame.h"
#include "transport/submission_form.h"
#include "wire/json.h"

namespace assay::fuzz {
namespace {

using transport::FormReader;
using transport::StreamFrame;

void check_frame(const StreamFrame& frame, std::string_view bytes) {
  CHECK((frame.kind == StreamFrame::Kind::Refused) == (frame.refusal != nullptr));
  CHECK(frame.rest.size() <= bytes.size());
}

struct Form {
  std::vector<std::pair<std::string, std::string>> parts{};  // name and content
  bool complete = false;
  bool operator==(const Form&) const = default;
};

std::optional<Form> read_form(const std::string& boundary, std::string_view body,
                              std::size_t piece) {
  Form form;
  FormReader reader(boundary, {.begin =
                                   [&](const FormReader::Part& part) {
                                     CHECK(!part.file_name.contains('/'));
                                     if (part.name == "stop") return FormReader::Wish::Stop;
                                     if (part.name == "skip") return FormReader::Wish::Skip;
                                     form.parts.emplace_back(part.name, "");
                                     return FormReader::Wish::Take;
                                   },
                               .write =
                                   [&](std::string_view bytes) {
                                     form.parts.back().second.append(bytes);
                                     return true;
                                   }});
  for (; !body.empty(); body.remove_prefix(std::min(piece, body.size())))
    if (!reader.put(body.substr(0, piece))) return std::nullopt;
  form.complete = reader.is_complete();
  return form;
}

struct Exchange {
  transport::Head head{};
  std::string body{};
  transport::Parser::Trouble trouble{};
  bool header_done = false, done = false;
};

Exchange read_exchange(std::string_view bytes, std::size_t piece) {
  transport::Parser parser(16_KiB, 64_KiB);
  Exchange result;
  parser.body_to([&](std::string_view part) {
    result.body.append(part);
    return true;
  });
  std::string pending;
  while (!bytes.empty() && !parser.is_done() &&
         parser.trouble() == transport::Parser::Trouble::None) {
    pending.append(bytes.substr(0, piece));
    bytes.remove_prefix(std::min(piece, bytes.size()));
    for (std::size_t used = 1; used > 0 && !pending.empty() && !parser.is_done();) {
      used = parser.put(pending);
      CHECK(used <= pending.size());
      pending.erase(0, used);
      if (parser.trouble() != transport::Parser::Trouble::None) break;
    }
  }
  result.head = parser.head();
  result.trouble = parser.trouble();
  result.header_done = parser.header_is_done();
  result.done = parser.is_done();
  return result;
}

void use_head(transport::Head head) {
  if (transport::split_target(head)) CHECK(head.path.size() <= head.target.size());
  CHECK(transport::query_field(head.query, "token").size() <= head.query.size());
  (void)head.has_token("Connection", "upgrade");
  CHECK(transport::boundary_of(head.field("Content-Type")).size() <= 200);
  if (const auto date = transport::parse_http_date(head.field("If-Modified-Since")))
    CHECK(transport::parse_http_date(transport::http_date(*date)) == date);
}

}  // namespace

void stream_frame(std::string_view bytes) {
  Slices in(bytes);
  const bool started = in.byte() % 2 == 1;
  const std::string_view message = in.rest();
  const StreamFrame frame = transport::read_stream_frame(message, started);
  check_frame(frame, message);
  if (frame.kind == StreamFrame::Kind::Resize) (void)wire::decode_resize(frame.rest);
  if (frame.kind != StreamFrame::Kind::Request) return;
  const auto request = wire::decode_request(frame.rest);
  if (!request) return;
  if (const auto ids = transport::stream_ids(*request)) CHECK(ids->size() <= 256);
}

// All at once or byte by byte, it is the same request. What is none may be noticed later.
void http_head(std::string_view bytes) {
  const Exchange whole = read_exchange(bytes, bytes.size());
  const Exchange pieces = read_exchange(bytes, 1);
  CHECK(whole.header_done == pieces.header_done && whole.done == pieces.done);
  if (!whole.header_done) return;
  CHECK(whole.head.target == pieces.head.target && whole.head.fields == pieces.head.fields);
  CHECK(whole.head.content_length == pieces.head.content_length);
  if (whole.done) CHECK(whole.body == pieces.body);
  use_head(whole.head);
}

void multipart(std::string_view bytes) {
  Slices in(bytes);
  const std::size_t piece = 1 + in.byte();
  const std::string header(in.part());
  const std::string boundary = transport::boundary_of(header);
  CHECK(boundary.size() <= 200);
  CHECK(transport::parameter_of(header, "filename").size() <= header.size());
  const std::string_view body = in.rest();
  const auto whole = read_form(boundary, body, SIZE_MAX);
  CHECK(whole == read_form(boundary, body, piece));
  transport::SubmissionForm form(boundary);
  if (!form.put(body)) return;
  if (const auto parts = form.finish()) CHECK(parts->request.size() <= body.size() + 2);
}

}  // namespace assay::fuzz
