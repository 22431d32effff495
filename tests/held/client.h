// The other side of the pipes: what a client of the protocol does, each step with open, read or
// write, and close.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assay::test {

struct StatusAnswer {
  std::uint64_t cpu_us = 0;
  std::uint64_t memory = 0;
  std::string text{};
  bool operator==(const StatusAnswer&) const = default;
};

class Client {
 public:
  explicit Client(std::string directory, std::string suffix = "")
      : directory_(std::move(directory)), suffix_(std::move(suffix)) {}

  [[nodiscard]] std::string path(const std::string& pipe) const {
    return directory_ + "/" + pipe + suffix_;
  }
  [[nodiscard]] int write(const std::string& pipe, std::string_view bytes) const;  // 0 or errno
  [[nodiscard]] std::string read(const std::string& pipe) const;                   // to its end
  [[nodiscard]] std::optional<StatusAnswer> status() const;  // nothing: not three lines
  [[nodiscard]] std::optional<StatusAnswer> wait(std::string_view bytes = "1") const;

 private:
  std::string directory_, suffix_;
};

// Three lines with their newlines, and nothing else.
std::optional<StatusAnswer> parse_status(const std::string& text);

}  // namespace assay::test
