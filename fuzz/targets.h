// Every parser that meets bytes from outside, as a function of those bytes. Each says with CHECK
// what must hold beyond not crashing. Built twice: one libFuzzer program for each (tools/fuzz), and
// one test that replays the corpus (fuzz/replay_test.cc).
#pragma once

#include <array>
#include <string_view>

namespace assay::fuzz {

// requests.cc
void run_request(std::string_view bytes);
void submission(std::string_view bytes);
void process_request(std::string_view bytes);
void noj_intake(std::string_view bytes);
// text.cc
void text(std::string_view bytes);
// frames.cc
void stream_frame(std::string_view bytes);
void http_head(std::string_view bytes);
void multipart(std::string_view bytes);
// problem_bodies.cc
void problem_body(std::string_view bytes);
// messages.cc
void warden_call(std::string_view bytes);
void run_message(std::string_view bytes);
void box_words(std::string_view bytes);
// documents.cc
void profile(std::string_view bytes);
void policy(std::string_view bytes);
void language(std::string_view bytes);
void problem(std::string_view bytes);
void seccomp(std::string_view bytes);
// settings.cc
void mount_file(std::string_view bytes);
void webhook_url(std::string_view bytes);
void values(std::string_view bytes);
// archives.cc
void unpack_stream(std::string_view bytes);
void zip(std::string_view bytes);
void noj_meta(std::string_view bytes);
// packages.cc
void package_files(std::string_view bytes);
// languages.cc
void java_source(std::string_view bytes);
void crash_text(std::string_view bytes);
// host_files.cc
void host_file(std::string_view bytes);
// checks.cc
void checker_output(std::string_view bytes);
void check_result(std::string_view bytes);
void scorer_answer(std::string_view bytes);
void dialogue(std::string_view bytes);
void flags(std::string_view bytes);
void wait_pipe(std::string_view bytes);
// compare.cc
void compare(std::string_view bytes);
// records.cc
void journal_order(std::string_view bytes);
void journal_result(std::string_view bytes);
void store_record(std::string_view bytes);
void compile_entry(std::string_view bytes);
// grpc.cc
void grpc_run(std::string_view bytes);
void grpc_judging(std::string_view bytes);
// grpc_stream.cc
void grpc_stream(std::string_view bytes);

struct Target {
  std::string_view name{};
  void (*feed)(std::string_view bytes) = nullptr;
};

inline constexpr auto kTargets = std::to_array<Target>({
    {"run_request", run_request},
    {"submission", submission},
    {"process_request", process_request},
    {"noj_intake", noj_intake},
    {"text", text},
    {"stream_frame", stream_frame},
    {"http_head", http_head},
    {"multipart", multipart},
    {"problem_body", problem_body},
    {"warden_call", warden_call},
    {"run_message", run_message},
    {"box_words", box_words},
    {"profile", profile},
    {"policy", policy},
    {"language", language},
    {"problem", problem},
    {"seccomp", seccomp},
    {"mount_file", mount_file},
    {"webhook_url", webhook_url},
    {"values", values},
    {"unpack_stream", unpack_stream},
    {"zip", zip},
    {"noj_meta", noj_meta},
    {"package_files", package_files},
    {"java_source", java_source},
    {"crash_text", crash_text},
    {"host_file", host_file},
    {"checker_output", checker_output},
    {"check_result", check_result},
    {"scorer_answer", scorer_answer},
    {"dialogue", dialogue},
    {"flags", flags},
    {"wait_pipe", wait_pipe},
    {"compare", compare},
    {"journal_order", journal_order},
    {"journal_result", journal_result},
    {"store_record", store_record},
    {"compile_entry", compile_entry},
    {"grpc_run", grpc_run},
    {"grpc_judging", grpc_judging},
    {"grpc_stream", grpc_stream},
});

}  // namespace assay::fuzz
