// Asio as this room uses it: compiled once, in boost.cc, which every other file must know before it
// includes anything of Boost. So Boost is included here and in beast.h, and nowhere else.
#pragma once

#define BOOST_ASIO_SEPARATE_COMPILATION
#define BOOST_ASIO_NO_DEPRECATED
#define BOOST_BEAST_SEPARATE_COMPILATION

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
