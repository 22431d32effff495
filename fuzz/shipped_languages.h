// The languages of the tree, read once: with their names, endings and signs.
#pragma once

#include "base/check.h"
#include "judge/language_set.h"

namespace assay::fuzz {

inline const judge::LanguageSet& shipped_languages() {
  static const judge::LanguageSet kLanguages = [] {
    auto languages = judge::load_languages(ASSAY_SOURCE_DIR "/languages");
    CHECK(languages.has_value() && !languages->all().empty());
    return *std::move(languages);
  }();
  return kLanguages;
}

}  // namespace assay::fuzz
