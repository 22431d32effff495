// A compiled program as memory that the kernel runs from its descriptor: it need not be copied into
// the box of every test, nor that box's directory be made again after it.
#pragma once

#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "os/fd.h"

namespace assay::judge {

// Nobody can change it. A run has one for itself: two at the same time could tell each other things
// by its locks and its times.
class Executable {
 public:
  class Loan {
   public:
    Loan() = default;
    Loan(std::shared_ptr<Executable> owner, os::OwnedFd file)
        : owner_(std::move(owner)), file_(std::move(file)) {}
    Loan(Loan&&) noexcept = default;
    Loan& operator=(Loan&& other) noexcept;
    ~Loan() { give_back(); }

    [[nodiscard]] int get() const { return file_.get(); }  // -1: there is none

   private:
    void give_back() noexcept;

    std::shared_ptr<Executable> owner_{};
    os::OwnedFd file_{};
  };

  // Only these can be run without a name.
  static bool is_one(std::string_view content) {
    return content.starts_with(
        "\x7f"
        "ELF");
  }

  // `content` is what the program is, the same every time. Where there is no memory or no
  // descriptor for it, the loan is empty: it can still go the usual way.
  static Loan lend(const std::shared_ptr<Executable>& executable, std::string_view name,
                   std::string_view content);

 private:
  os::OwnedFd take_idle();

  std::mutex mutex_;
  std::vector<os::OwnedFd> idle_;
};

}  // namespace assay::judge
