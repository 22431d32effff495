// Results, and the small answers around them.
#include "wire/base64.h"
#include "wire/encode_facts.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace assay::wire {
namespace {

using exec::CommandResult;
using exec::Encoding;
using exec::Request;

// Enough for nearly every answer, so that a large one is not copied while it grows.
std::size_t likely_size(const std::vector<CommandResult>& results, Encoding encoding) {
  std::size_t size = 64;
  for (const CommandResult& result : results) {
    size += 256 + (result.facts ? 1024 : 0);
    for (const auto& [name, bytes] : result.files)
      size += name.size() + bytes.size() + bytes.size() / (encoding == Encoding::Base64 ? 2 : 4);
  }
  return size;
}

void append_contents(std::string& out, std::string_view bytes, Encoding encoding) {
  if (encoding == Encoding::Text) return append_text(out, bytes);
  out += '"';
  append_base64(out, bytes);
  out += '"';
}

void append_file_error(std::string& out, const exec::FileError& error) {
  Object object(out);
  object.text("name", error.name);
  object.text("type", exec::name_of(error.type));
  if (!error.message.empty()) object.text("message", error.message);
  object.close();
}

void append_files(Object& object, const CommandResult& result, Encoding encoding) {
  if (!result.files.empty()) {
    Object files(object.value("files"));
    for (const auto& [name, bytes] : result.files)
      append_contents(files.value_of(name), bytes, encoding);
    files.close();
  }
  if (!result.file_ids.empty()) {
    Object ids(object.value("fileIds"));
    for (const auto& [name, id] : result.file_ids)
      append_text(ids.value_of(name), id);
    ids.close();
  }
  if (!result.file_errors.empty())
    append_list(object.value("fileError"), result.file_errors, append_file_error);
}

void append_result(std::string& out, const CommandResult& result, const Request& request) {
  Object object(out);
  object.text("status", exec::name_of(result.status));
  object.number("exitStatus", result.exit_status);
  if (!result.error.empty()) object.text("error", result.error);
  object.number("time", result.time.count());
  object.count("memory", result.memory.count);
  object.number("runTime", result.run_time.count());
  if (result.process_peak > 0) object.count("procPeak", result.process_peak);
  append_files(object, result, request.encoding);
  // A client that asked can see that this server understood, which go-judge would not.
  if (request.encoding == Encoding::Base64) object.text("encoding", "base64");
  if (request.wants_facts && result.facts) append_facts(object.value("facts"), *result.facts);
  object.close();
}

void append_results(std::string& out, const std::vector<CommandResult>& results,
                    const Request& request) {
  append_list(out, results, [&](std::string& to, const CommandResult& result) {
    append_result(to, result, request);
  });
}

}  // namespace

std::string encode_results(const std::vector<CommandResult>& results, const Request& request) {
  std::string out;
  out.reserve(likely_size(results, request.encoding));
  append_results(out, results, request);
  out += '\n';
  return out;
}

std::string encode_answer(const Answer& answer, const Request& request) {
  std::string out;
  if (answer.results != nullptr) out.reserve(likely_size(*answer.results, request.encoding));
  Object object(out);
  object.text("requestId", answer.request_id);
  if (answer.results != nullptr)
    append_results(object.value("results"), *answer.results, request);
  else
    object.null("results");
  if (!answer.error.empty()) object.text("error", answer.error);
  object.close();
  out += '\n';
  return out;
}

std::string encode_string(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 2);
  append_text(out, text);
  return out;
}

}  // namespace assay::wire
