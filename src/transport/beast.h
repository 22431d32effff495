// Beast, after asio.h has said how it is compiled.
#pragma once

#include "transport/asio.h"
// asio.h first.
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/websocket/stream.hpp>
