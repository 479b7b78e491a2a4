#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <string>

#include "base/clock.h"

// Reservations for people.
namespace basalt::cli {

// A line each: name, phase, available of replicas, queue, age; with their namespaces where
// `all_namespaces`, with what they hold and when they end where `wide`.
std::string ReservationsText(const boost::json::array& items, bool all_namespaces, Time now,
                             bool wide = false);
// One, with its nodes and owners.
std::string ReservationText(const boost::json::object& reservation, Time now);

}  // namespace basalt::cli
