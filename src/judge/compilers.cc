#include "judge/compilers.h"

#include <algorithm>
#include <array>
#include <condition_variable>

namespace assay::judge {
namespace {

Compiled as_compiled(const CompileOrder& order, CompileResult result,
                     std::vector<ProgramFile> files) {
  result.cached = true;
  return {.result = std::move(result),
          .program = Program{
              .language = order.language, .sources = order.sources, .files = std::move(files)}};
}

}  // namespace

// One compilation that others wait for.
struct Compilers::Flight {
  std::mutex mutex;
  std::condition_variable landed;
  bool over = false;
  std::optional<Result<Compiled>> result;  // none: it was cancelled, and says nothing to others

  // Nothing: `cancellation` came first, or there is no result.
  std::optional<Result<Compiled>> wait(Cancellation& cancellation) {
    bool cancelled = false;
    const Cancellation::Watch watch(cancellation, [&] {
      const std::lock_guard lock(mutex);
      cancelled = true;
      landed.notify_all();
    });
    std::unique_lock lock(mutex);
    landed.wait(lock, [&] { return over || cancelled; });
    return over ? result : std::nullopt;
  }
};

std::optional<CacheLevel> cache_level_named(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, CacheLevel>, 4> kNames{
      {{"none", CacheLevel::None},
       {"transient", CacheLevel::Transient},
       {"compilation", CacheLevel::Compilation},
       {"all", CacheLevel::All}}};
  for (const auto& [known, level] : kNames)
    if (known == name) return level;
  return std::nullopt;
}

Result<std::unique_ptr<Compilers>> Compilers::open(sandbox::Sandbox& engine,
                                                   CompilersOptions options) {
  std::optional<CompileCache> cache;
  if (options.level == CacheLevel::Compilation || options.level == CacheLevel::All)
    cache.emplace(TRY(CompileCache::open(options.cache)));
  return std::unique_ptr<Compilers>(new Compilers(engine, std::move(options), std::move(cache)));
}

Compilers::Compilers(sandbox::Sandbox& engine, CompilersOptions options,
                     std::optional<CompileCache> cache)
    : engine_(engine),
      options_(std::move(options)),
      cache_(std::move(cache)),
      warm_files_(engine, cache_ ? &*cache_ : nullptr) {}

Compilers::~Compilers() = default;

Result<std::string> Compilers::key_of(const CompileOrder& order,
                                      const verdict::Policy& policy) const {
  const std::vector<Invocation> steps =
      compile_steps(*order.language, {.sources = order.sources, .flags = order.flags});
  const std::vector<std::string> results = files_to_run(*order.language, order.sources);
  return compile_key({.steps = steps,
                      .files = order.files,
                      .directories = order.directories,
                      .results = results,
                      .limits = policy.compile},
                     options_.profiles);
}

Result<Compiled> Compilers::compile(const CompileOrder& order, const verdict::Policy& policy,
                                    Cancellation& cancellation) {
  if (options_.level == CacheLevel::None || order.language->compile.empty()) {
    if (!order.language->compile.empty()) ++compilations_;
    return judge::compile(engine_, order, policy, cancellation);
  }
  const auto found = key_of(order, policy);
  if (!found) {  // a profile that came after us: right, only not remembered
    ++compilations_;
    return judge::compile(engine_, order, policy, cancellation);
  }
  const std::string& key = *found;
  while (!cancellation.is_cancelled()) {
    bool leads = false;
    const std::shared_ptr<Flight> flight = board(key, leads);
    if (leads) {
      auto result = lead(key, order, policy, cancellation);
      land(key, *flight, result, cancellation.is_cancelled());
      return result;
    }
    auto result = flight->wait(cancellation);
    if (!result) continue;  // cancelled: the other, and then it is our turn, or we
    ++shared_;
    // Whoever asked names the language; the bytes are the same.
    if (*result && (*result)->program) (*result)->program->language = order.language;
    return *std::move(result);
  }
  return judge::compile(engine_, order, policy, cancellation);  // says that it was cancelled
}

std::shared_ptr<Compilers::Flight> Compilers::board(const std::string& key, bool& leads) {
  const std::lock_guard lock(mutex_);
  auto& flight = flights_[key];
  leads = flight == nullptr;
  if (leads) flight = std::make_shared<Flight>();
  return flight;
}

void Compilers::land(const std::string& key, Flight& flight, const Result<Compiled>& result,
                     bool cancelled) {
  {
    const std::lock_guard lock(mutex_);
    flights_.erase(key);
  }
  const std::lock_guard lock(flight.mutex);
  flight.over = true;
  if (!cancelled) flight.result = result;
  flight.landed.notify_all();
}

Result<Compiled> Compilers::lead(const std::string& key, const CompileOrder& order,
                                 const verdict::Policy& policy, Cancellation& cancellation) {
  if (auto known = TRY(recall(key, order))) {
    ++hits_;
    return *std::move(known);
  }
  Compiled compiled = TRY(compile_now(order, policy, cancellation));
  if (compiled.program) remember(key, compiled);
  return compiled;
}

Result<Compiled> Compilers::compile_now(const CompileOrder& order, const verdict::Policy& policy,
                                        Cancellation& cancellation) {
  WarmFile warm;
  if (options_.warm) warm = TRY(warm_files_.find(order, options_.profiles, cancellation));
  ++compilations_;
  if (warm) ++warm_;
  return judge::compile(engine_, order, policy, cancellation, warm ? warm->get() : -1);
}

Result<bool> Compilers::warm_up(const Language& language, Cancellation& cancellation) {
  if (options_.level == CacheLevel::None || !options_.warm) return false;
  return TRY(warm_files_.make(language, {}, options_.profiles, cancellation)) != nullptr;
}

Result<std::optional<Compiled>> Compilers::recall(const std::string& key,
                                                  const CompileOrder& order) {
  auto known = cache_ ? TRY(from_cache(key)) : from_memory(key);
  if (!known) return std::nullopt;
  return as_compiled(order, std::move(known->result), std::move(known->files));
}

Result<std::optional<Compilers::Remembered>> Compilers::from_cache(const std::string& key) {
  const auto kept = TRY(cache_->find(key));
  if (!kept) return std::nullopt;
  Remembered known{.result = kept->entry.result};
  for (std::size_t i = 0; i < kept->files.size(); ++i) {
    const KeptFile& file = kept->entry.files[i];
    std::string content = TRY(cache_->text(*kept, i));
    known.files.push_back(
        {.name = file.name, .content = std::move(content), .executable = file.executable});
  }
  return known;
}

std::optional<Compilers::Remembered> Compilers::from_memory(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto at = std::ranges::find(remembered_, key, &Remembered::key);
  if (at == remembered_.end()) return std::nullopt;
  remembered_.splice(remembered_.begin(), remembered_, at);
  return *at;
}

void Compilers::remember(const std::string& key, const Compiled& compiled) {
  if (!cache_) return remember_here(key, compiled);
  std::vector<NewFile> files;
  for (const ProgramFile& file : compiled.program->files)
    files.push_back({.name = file.name, .executable = file.executable, .content = file.content});
  if (!cache_->keep(key, *compiled.result, std::move(files))) ++not_kept_;
}

void Compilers::remember_here(const std::string& key, const Compiled& compiled) {
  Bytes size{compiled.result->log.size()};
  for (const ProgramFile& file : compiled.program->files)
    size.count += file.content.size();
  if (size > options_.most_memory) return;
  const std::lock_guard lock(mutex_);
  remembered_.push_front({key, *compiled.result, compiled.program->files, size});
  remembered_size_.count += size.count;
  while (remembered_size_ > options_.most_memory) {
    remembered_size_.count -= remembered_.back().size.count;
    remembered_.pop_back();
  }
}

Compilers::Counts Compilers::counts() const {
  return {compilations_, hits_, shared_, warm_, not_kept_};
}

}  // namespace assay::judge
