// Removing what dead processes left in a store's directory.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace assay::store {

std::vector<std::string> names_in(int directory);  // without "." and ".."

void clean_session(int session);
void clean_dead_sessions(int drafts);  // those whose lock nobody holds

struct Rooms {
  int ids = -1;
  int files = -1;
  int blobs = -1;
};

// Content without a record, records without content, blobs that nobody uses. `older` protects what
// another process may be adding at this moment.
void clean_leftovers(const Rooms& rooms, std::chrono::seconds older = {});

void clean_everything(int root);  // all rooms of the store, and nothing that is not ours

}  // namespace assay::store
