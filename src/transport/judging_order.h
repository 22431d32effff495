// What an order still lacks when it has been read, however it came: its problem, if that was named,
// and the word that its webhook may be called.
#pragma once

#include <string>

#include "transport/judging_doors.h"

namespace assay::transport {

// How the fields are called in errors, which differs with the door.
struct OrderFields {
  std::string webhook{};
  std::string problem_id{};
};

inline Status complete(service::JudgeOrder& order, const JudgingDoors& doors,
                       const OrderFields& fields) {
  if (!order.webhook.empty()) {
    if (!doors.check_webhook) return invalid(fields.webhook + ": this server calls nobody");
    if (const Status fine = doors.check_webhook(order.webhook); !fine)
      return invalid(fields.webhook + ": " + describe(fine.error()));
  }
  if (order.problem != nullptr) return {};
  auto found = doors.problems.find(order.problem_id);
  if (!found) return invalid(fields.problem_id + ": " + describe(found.error()));
  order.problem = found->problem;
  order.problem_key = found->info.key;
  order.digest += found->info.digest;
  return {};
}

}  // namespace assay::transport
