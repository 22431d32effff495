// Parts that problems and submissions have in common. Private to the conversions.
//
// No TRY inside an initializer list here: when it returns, g++ 12 forgets the members that are made
// already, and a client could have us leak whatever it sends.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "transport/grpc_module/judging_convert.h"

namespace assay::transport::module {

inline std::string item(const std::string& list, int index) {
  return list + "[" + std::to_string(index) + "]";
}

// Text for the kernel, for logs and for addresses.
Result<std::string> to_name(const std::string& text, const std::string& place);

Status check_size(int size, std::size_t most, const std::string& place);

template <typename List>
Result<std::vector<std::string>> to_names(const List& list, std::size_t most,
                                          const std::string& place) {
  TRY_STATUS(check_size(list.size(), most, place));
  std::vector<std::string> names;
  for (int i = 0; i < list.size(); ++i)
    names.push_back(TRY(to_name(list[i], item(place, i))));
  return names;
}

Result<judge::Content> to_content(const v1::Content& message, const std::string& place,
                                  service::Supply& supply);

// The same, and no larger than can be unpacked.
Result<judge::Content> to_archive(const v1::Content& message, const std::string& place,
                                  service::Supply& supply);

// The same, with all of it in memory.
Result<std::string> to_source_text(const v1::Content& message, const std::string& place,
                                   service::Supply& supply);

using SourceList = google::protobuf::RepeatedPtrField<v1::SourceFile>;
Result<std::vector<judge::SourceFile>> to_sources(const SourceList& list, const std::string& place,
                                                  service::Supply& supply);

Result<judge::Checker> to_checker(const v1::Problem& message, const std::string& place,
                                  service::Supply& supply);
Result<std::optional<judge::Interactor>> to_interactor(const v1::Problem& message,
                                                       const std::string& place,
                                                       service::Supply& supply);
// The manager, the processes and how they talk.
Status fill_manager(const v1::Problem& message, const std::string& place, service::Supply& supply,
                    judge::Problem& problem);
Result<std::optional<judge::ScorerProgram>> to_scorer(const v1::Problem& message,
                                                      const std::string& place,
                                                      service::Supply& supply);
// Its type, and how a submission becomes a program.
Status fill_building(const v1::Problem& message, const std::string& place, service::Supply& supply,
                     judge::Problem& problem);

Result<sandbox::Limits> to_limits(const v1::Limits& message, const std::string& place);
Result<std::optional<judge::StopRule>> to_stop(v1::StopRule rule, const std::string& place);
Result<double> to_real(double value, double least, double most, const std::string& place);

// proto3 hands over numbers that no name of the enum has.
std::unexpected<Error> unknown_value(int value, const std::string& place);

}  // namespace assay::transport::module
