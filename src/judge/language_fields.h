// How the values of a language file are read, one by one. For language_file.cc alone.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "judge/language.h"
#include "sandbox/document.h"

namespace assay::judge {

Status read_text(const sandbox::Node& node, std::string& into);               // not empty
Status read_words(const sandbox::Node& node, Template& into);                 // array, or one line
Status read_list(const sandbox::Node& node, std::vector<std::string>& into);  // of texts
Status read_file_name(const sandbox::Node& node, std::string& into);          // plain and relative
Status read_pattern(const sandbox::Node& node, std::string& into);  // a regular expression
Status read_patterns(const sandbox::Node& node, std::vector<std::string>& into);
Status read_profile_name(const sandbox::Node& node, std::string& into);
Status read_factor(const sandbox::Node& node, Factor& into);
Status read_variables(const sandbox::Node& node, std::map<std::string, std::string>& into);
Status read_name_rule(const sandbox::Node& node, NameRule& into);
Status read_memory_rules(const sandbox::Node& node, MemoryRules& into);
Status read_time_rules(const sandbox::Node& node, TimeRules& into);
Status read_flag_rules(const sandbox::Node& node, FlagRules& into);

// Every name in the templates of the file must be known there.
Status check_names(const sandbox::Node& document, const Language& language);

// The value of a key of a table; nullptr when it is not there or this is no table.
const sandbox::Node* find_key(const sandbox::Node& node, std::string_view key);

}  // namespace assay::judge
