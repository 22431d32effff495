// Tells systemd how far we are, where it wants to know.
#pragma once

#include <string>
#include <string_view>

namespace assay::daemon {

class ServiceManager {
 public:
  static ServiceManager find();  // $NOTIFY_SOCKET, which is then taken out of the environment
  void tell(std::string_view state) const;  // "READY=1"

 private:
  std::string socket_;
};

}  // namespace assay::daemon
