#include "sandbox/warden/steps.h"

#include <cstring>
#include <string>

namespace assay::sandbox::warden {
namespace {

const char* string_at(std::span<const std::byte> plan, std::uint32_t offset) {
  const auto& header = *reinterpret_cast<const inside::BoxPlan*>(plan.data());
  return reinterpret_cast<const char*>(plan.data()) + header.strings + offset;
}

std::string quoted(const char* text) {
  return std::string("'") + text + "'";
}

// The thing that was being made when it failed.
std::string subject(const inside::ControlReply& failure, std::span<const std::byte> plan) {
  const auto& header = *reinterpret_cast<const inside::BoxPlan*>(plan.data());
  if (failure.index >= header.make_count) return "";
  inside::Make make{};
  std::memcpy(&make, plan.data() + header.makes + failure.index * sizeof make, sizeof make);
  if (make.kind == inside::MakeKind::Bind)
    return quoted(string_at(plan, make.source)) + " at " + quoted(string_at(plan, make.target));
  return quoted(string_at(plan, make.target));
}

std::string sentence(const inside::ControlReply& failure, std::span<const std::byte> plan) {
  using inside::Step;
  switch (failure.step) {
    case Step::Cgroup:
      return "enter the box's cgroups";
    case Step::Stage:
      return "build a new root on " +
             quoted(string_at(plan, reinterpret_cast<const inside::BoxPlan*>(plan.data())->stage));
    case Step::Directory:
      return "make directory " + subject(failure, plan);
    case Step::File:
      return "write file " + subject(failure, plan);
    case Step::Link:
      return "make link " + subject(failure, plan);
    case Step::Bind:
      return "mount " + subject(failure, plan);
    case Step::Tmpfs:
      return "mount a writable place";
    case Step::Proc:
      return "mount /proc (in a container, is the host's /proc masked?)";
    case Step::Root:
      return "change the root";
    case Step::Hostname:
      return "set the host name";
    case Step::Privileges:
      return "give up privileges";
    case Step::Filter:
      return "install the system call filter";
    case Step::Init:
      return "start init";
    default:
      return "make the box (step " + std::to_string(static_cast<unsigned>(failure.step)) + ")";
  }
}

}  // namespace

Error explain(const inside::ControlReply& failure, std::span<const std::byte> plan) {
  return {Fault::System, failure.error, "box: could not " + sentence(failure, plan)};
}

}  // namespace assay::sandbox::warden
