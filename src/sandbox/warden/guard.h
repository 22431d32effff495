// What goes before the rules of every system call filter, whoever wrote them.
#pragma once

#include <linux/filter.h>

#include <cstddef>
#include <span>
#include <vector>

namespace assay::sandbox::warden {

constexpr std::size_t kMostListed = 100;  // its jumps must stay within 8 bits

// `listed` are the numbers beyond those we vetted that a rule names.
std::vector<sock_filter> guard(std::span<const int> listed);

}  // namespace assay::sandbox::warden
