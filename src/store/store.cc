#include "store/store.h"

#include <sys/stat.h>

#include <mutex>

#include "store/eviction.h"
#include "store/id.h"
#include "store/shelf.h"

namespace assay::store {
namespace {

std::unexpected<Error> no_such_id() {
  return not_found("that is not the id of a file");  // a stranger's text: not repeated
}

}  // namespace

struct Store::Inside {
  explicit Inside(Options with)
      : options(std::move(with)), evictor(options.quota, options.timeout) {}

  std::shared_ptr<Shelf> shelf() {
    const std::scoped_lock lock(mutex);
    return current;
  }

  // A shelf on a directory that is really there. Who removes it from under us takes the files in
  // it away, but not our ability to go on.
  Result<std::shared_ptr<Shelf>> whole_shelf() {
    const std::scoped_lock lock(mutex);
    if (current->layout().is_whole()) return current;
    std::shared_ptr<Shelf> fresh = TRY(Shelf::open(options));
    current = std::move(fresh);
    evictor.count(*current);
    return current;
  }

  // Tries on the shelf we have; looks whether it is still there only after a failure.
  template <typename Act>
  auto on_shelf(const Act& act) -> decltype(act(std::declval<Shelf&>())) {
    const std::shared_ptr<Shelf> known = shelf();
    auto result = act(*known);
    if (result || result.error().fault == Fault::InvalidRequest) return result;
    const std::shared_ptr<Shelf> now = TRY(whole_shelf());
    if (now == known) return result;
    return act(*now);
  }

  // Of a file that was kept: the same bytes are in it, whatever the shelf made of them.
  void note(int file) const {
    struct stat found{};
    if (told && ::fstat(file, &found) == 0) told(Bytes{static_cast<std::uint64_t>(found.st_size)});
  }

  Options options;
  Evictor evictor;
  std::function<void(Bytes)> told;
  std::mutex mutex;
  std::shared_ptr<Shelf> current;
};

Store::Store(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Result<Store> Store::open(Options options) {
  auto inside = std::make_unique<Inside>(std::move(options));
  inside->current = TRY(Shelf::open(inside->options));
  inside->evictor.count(*inside->current);
  return Store(std::move(inside));
}

void Store::when_added(std::function<void(Bytes)> told) {
  inside_->told = std::move(told);
}

Result<std::string> Store::add(const std::string& name, std::string_view bytes) {
  std::string id = TRY(inside_->on_shelf([&](Shelf& shelf) { return shelf.add(name, bytes); }));
  if (inside_->told) inside_->told(Bytes{bytes.size()});
  inside_->evictor.make_room(*inside_->shelf(), id);
  return id;
}

Result<os::OwnedFd> Store::scratch() {
  return inside_->on_shelf([](Shelf& shelf) { return shelf.scratch(); });
}

Result<std::string> Store::keep(const std::string& name, os::OwnedFd file) {
  std::string id =
      TRY(inside_->on_shelf([&](Shelf& shelf) { return shelf.keep(name, file.get()); }));
  inside_->note(file.get());
  inside_->evictor.make_room(*inside_->shelf(), id);
  return id;
}

Result<Opened> Store::get(std::string_view id) {
  if (!is_id(id)) return no_such_id();
  return inside_->on_shelf([name = std::string(id)](Shelf& shelf) { return shelf.get(name); });
}

Status Store::remove(std::string_view id) {
  if (!is_id(id)) return no_such_id();
  return inside_->on_shelf([name = std::string(id)](Shelf& shelf) { return shelf.remove(name); });
}

std::vector<Listed> Store::list() {
  const auto shelf = inside_->whole_shelf();
  return shelf ? (*shelf)->list() : std::vector<Listed>{};
}

Totals Store::totals() {
  const auto shelf = inside_->whole_shelf();
  if (!shelf) return {};
  const std::vector<Use> uses = (*shelf)->uses();
  return {.files = uses.size(), .bytes = stored_once(uses)};
}

Result<Store::Check> Store::check() {
  return TRY(inside_->whole_shelf())->check();
}

void Store::expire() {
  const auto shelf = inside_->whole_shelf();
  if (shelf) inside_->evictor.expire(**shelf);
}

const std::string& Store::directory() const {
  return inside_->options.directory;
}

}  // namespace assay::store
