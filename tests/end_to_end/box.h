// An `assay box` under test, and a client of its pipes.
#pragma once

#include <gtest/gtest.h>

#include "os/process.h"
#include "tests/end_to_end/command.h"
#include "tests/held/client.h"

namespace assay::test {

class BoxCommand : public testing::Test {
 protected:
  void start(const std::vector<std::string>& options, const std::vector<std::string>& program);
  void start_shell(const std::string& script, const std::vector<std::string>& options = {}) {
    start(options, {"/bin/sh", "-c", script});
  }
  void start_guest(const std::string& guest, const std::vector<std::string>& arguments = {}) {
    std::vector<std::string> program{"./guest"};
    program.insert(program.end(), arguments.begin(), arguments.end());
    start({"--in", "guest=" + std::string(ASSAY_GUEST_DIR) + "/" + guest}, program);
  }

  // A wait that must be answered with three lines.
  StatusAnswer wait(std::string_view bytes = "1");
  StatusAnswer terminate() { return wait("0"); }
  Ran end();                 // waits for it; what it printed beyond the directory
  void TearDown() override;  // ends what still runs; no pipe may be left

  [[nodiscard]] Client client() const { return Client(directory_.path()); }

  Scratch directory_;
  os::Process process_;

 private:
  static std::string rest_of(int fd);
  os::OwnedFd out_, err_;
};

}  // namespace assay::test
