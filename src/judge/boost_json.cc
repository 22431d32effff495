// Boost.JSON is used without its library: this is the one place of this room that compiles it.
#include <boost/json/src.hpp>
