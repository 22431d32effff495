#include "config/catalogue.h"

#include <fmt/format.h>

#include "judge/language_file.h"
#include "sandbox/profile.h"

namespace assay::config {
namespace {

std::unexpected<Error> at(const std::string& place, Error error) {
  if (!error.context.starts_with(place))
    error.context = fmt::format("{}: {}", place, error.context);
  return std::unexpected(std::move(error));
}

struct Reader {
  const Source& source;
  std::vector<judge::Language> languages{};
  Set set{};

  Status read(const EntryId& id, const std::string& text) {
    const std::string place = source.place(id);
    switch (id.kind) {
      case Kind::Language: {
        auto parsed = judge::parse_language(id.name, place, text);
        if (!parsed) return at(place, std::move(parsed).error());
        for (judge::Language& language : *parsed)
          languages.push_back(std::move(language));
        return {};
      }
      case Kind::Profile: {
        auto parsed = sandbox::parse_profile(id.name, text);
        if (!parsed) return at(place, std::move(parsed).error());
        set.profiles[id.name] = parsed->limits;
        return {};
      }
      case Kind::Policy: {
        auto parsed = verdict::parse_policy(id.name, text);
        if (!parsed) return at(place, std::move(parsed).error());
        set.policies.emplace(id.name, *std::move(parsed));
        return {};
      }
    }
    return {};
  }
};

// A language that names a profile which nobody has could not be judged.
Status check_profiles(const Set& set) {
  for (const judge::Language& language : set.languages.all())
    for (const std::string& profile : language.profiles)
      if (!set.profiles.contains(profile))
        return invalid(fmt::format("language '{}' names profile '{}', which does not exist",
                                   language.id, profile));
  return {};
}

}  // namespace

Result<const verdict::Policy*> Set::policy(std::string_view name) const {
  if (const auto found = policies.find(name); found != policies.end()) return &found->second;
  std::string known;
  for (const auto& [each, policy] : policies)
    known += (known.empty() ? "; there are " : ", ") + each;
  std::string shown(name.substr(0, 64));
  for (char& c : shown)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return std::unexpected(Error{Fault::NotFound, 0, fmt::format("no policy '{}'{}", shown, known)});
}

Result<Set> parse_set(const Texts& texts, const Source& source) {
  Reader reader{.source = source};
  for (const auto& [id, text] : texts)
    TRY_STATUS(reader.read(id, text));
  if (reader.languages.empty()) return invalid("there are no languages");
  if (reader.set.policies.empty()) return invalid("there are no policies");
  reader.set.languages = TRY(judge::LanguageSet::of(std::move(reader.languages)));
  TRY_STATUS(check_profiles(reader.set));
  return std::move(reader.set);
}

Catalogue::Catalogue(std::unique_ptr<Source> source, CatalogueOptions options)
    : source_(std::move(source)),
      options_(std::move(options)),
      recent_(options_.most_kept, options_.lifetime) {}

Result<std::unique_ptr<Catalogue>> Catalogue::open(std::unique_ptr<Source> source,
                                                   CatalogueOptions options) {
  auto catalogue = std::unique_ptr<Catalogue>(new Catalogue(std::move(source), std::move(options)));
  TRY_STATUS(catalogue->refresh(catalogue->options_.now()));
  return catalogue;
}

Catalogue::Snapshot Catalogue::kept() {
  const std::lock_guard lock(mutex_);
  return set_;
}

Catalogue::Snapshot Catalogue::current() {
  if (const std::unique_lock lock(looking_, std::try_to_lock); lock.owns_lock()) {
    const Clock::time_point now = options_.now();
    if (now - looked_ >= options_.check_every) look(now);
  }
  return kept();
}

void Catalogue::look(Clock::time_point now) {
  const Status done = refresh(now);
  const std::string complaint = done ? "" : describe(done.error());
  if (complaint == complaint_) return;
  complaint_ = complaint;
  options_.say(done ? "the languages, profiles and policies can be used again"
                    : "the languages, profiles and policies stay as they were: " + complaint);
}

// The version is asked first: what changes while the texts are read is found the next time.
Status Catalogue::refresh(Clock::time_point now) {
  looked_ = now;
  std::string version = TRY(source_->version());
  if (version == version_ && now - read_ < options_.lifetime) return outcome_;
  const Texts all = TRY(texts(now));
  auto set = parse_set(all, *source_);
  version_ = std::move(version);
  read_ = now;
  outcome_ = set ? Status{} : Status(std::unexpected(set.error()));
  if (!set) return outcome_;
  const std::lock_guard lock(mutex_);
  set_ = std::make_shared<const Set>(*std::move(set));
  return {};
}

Result<Texts> Catalogue::texts(Clock::time_point now) {
  Texts all;
  for (EntryId& id : TRY(source_->list())) {
    std::string text = TRY(this->text(id, now));
    all.emplace(std::move(id), std::move(text));
  }
  return all;
}

Result<std::string> Catalogue::text(const EntryId& id, Clock::time_point now) {
  if (const std::string* known = recent_.find(id, now)) return *known;
  ++reads_;
  std::string text = TRY(source_->text(id));
  recent_.put(id, text, id.name.size() + text.size(), now);
  return text;
}

}  // namespace assay::config
