// Boost.JSON is used without its library: this is the one place that compiles it.
#include <boost/json/src.hpp>
