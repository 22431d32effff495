// Outputs against answers: the fast comparisons say what the simple ones say.
#include "judge/compare.h"

#include <sys/mman.h>
#include <unistd.h>

#include "base/check.h"
#include "fuzz/compare_reference.h"
#include "fuzz/slices.h"
#include "fuzz/targets.h"
#include "judge/compare_names.h"
#include "judge/compare_window.h"
#include "os/fd.h"
#include "wire/utf8.h"

namespace assay::fuzz {
namespace {

// A file with `front` bytes of right tokens, which stay, and what is put behind them.
class Compared {
 public:
  explicit Compared(std::size_t front) : front_(front) {
    std::string text;
    while (text.size() < front)
      text += "7\n";
    CHECK(::pwrite(file_.get(), text.data(), front, 0) == static_cast<ssize_t>(front));
  }
  int holding(std::string_view text) const {
    CHECK(::ftruncate(file_.get(), static_cast<off_t>(front_)) == 0);
    CHECK(::pwrite(file_.get(), text.data(), text.size(), static_cast<off_t>(front_)) >= 0);
    return file_.get();
  }

 private:
  os::OwnedFd file_{::memfd_create("compared", MFD_CLOEXEC)};
  std::size_t front_;
};

// Rarely, what is compared lies across the end of a window.
constexpr unsigned kAcross = 255;
constexpr std::size_t kFront = judge::Window::kCapacity - 16;

}  // namespace

void compare(std::string_view bytes) {
  Slices in(bytes);
  const auto all = judge::comparisons();
  judge::Comparison comparison = all[in.byte() % all.size()].comparison;
  const unsigned choice = in.byte();
  if (comparison.values == judge::Values::Floats && choice % 4 == 1) comparison.relative.reset();
  if (comparison.values == judge::Values::Floats && choice % 4 == 2) comparison.absolute = 0;
  const bool across = choice == kAcross && comparison.order == judge::Order::Given;
  const std::string_view output = in.part();
  const std::string_view answer = in.rest();
  static const Compared left(0), right(0), long_left(kFront), long_right(kFront);
  const auto result = judge::compare((across ? long_left : left).holding(output),
                                     (across ? long_right : right).holding(answer), comparison);
  CHECK(result.has_value());
  CHECK(result->verdict == expected_verdict(output, answer, comparison));
  CHECK(result->message.empty() == (result->verdict == verdict::Verdict::Accepted));
  CHECK(wire::is_utf8(result->message) && result->message.size() <= 1024);
}

}  // namespace assay::fuzz
