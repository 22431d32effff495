#include "sandbox/path.h"

#include "sandbox/inside/plan.h"

namespace assay::sandbox {

bool is_plain_path(std::string_view path) {
  if (path == "/") return true;
  if (!path.starts_with('/') || path.size() >= inside::kMaxName) return false;
  if (path.find('\0') != std::string_view::npos) return false;
  while (!path.empty()) {
    path.remove_prefix(1);
    const std::string_view component = path.substr(0, path.find('/'));
    if (component.empty() || component == "." || component == "..") return false;
    path.remove_prefix(component.size());
  }
  return true;
}

bool is_within(std::string_view path, std::string_view ancestor) {
  if (ancestor == "/" || path == ancestor) return true;
  return path.size() > ancestor.size() && path.starts_with(ancestor) &&
         path[ancestor.size()] == '/';
}

std::string_view parent_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 || slash == std::string_view::npos ? path.substr(0, 1) : path.substr(0, slash);
}

}  // namespace assay::sandbox
