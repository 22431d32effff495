// A WebSocket: whole messages in, whole messages out, pings, deadlines. Everything happens on its
// strand: its events are told there, and its functions are called there.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "transport/asio.h"
#include "transport/context.h"
#include "transport/message.h"

namespace assay::transport {

class WebSocket {
 public:
  struct Events {
    std::function<void(std::string_view message)> message;
    std::function<void()> closed{};   // last, once
    std::function<void()> parting{};  // the server ends; all that was asked for has been sent
  };
  enum class Kind { Text, Binary };

  virtual ~WebSocket() = default;
  virtual void send(Kind kind, std::string bytes, std::function<void()> sent) = 0;
  virtual void close(std::uint16_t code, std::string reason) = 0;  // after what is to be sent
  virtual void pause() = 0;  // no more messages, so that the client has to wait
  virtual void resume() = 0;
  virtual void post(std::move_only_function<void()> work) = 0;  // from any thread
  virtual boost::asio::any_io_executor executor() = 0;          // the strand
  [[nodiscard]] virtual int socket() const = 0;

  static constexpr std::uint16_t kNormal = 1000, kProtocol = 1002, kBadPayload = 1007,
                                 kPolicy = 1008, kGoingAway = 1001, kTryAgainLater = 1013;
};

// `start` is called with it on its strand, and gives the events to tell, before anything is read.
using WebSocketStart = std::function<WebSocket::Events(std::shared_ptr<WebSocket>)>;
void open_websocket(Context& context, std::unique_ptr<Visit> visit, const Head& handshake,
                    WebSocketStart start);

}  // namespace assay::transport
