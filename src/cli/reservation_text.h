#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <string>

#include "base/clock.h"
#include "cli/object_table.h"

// Reservations for people.
namespace basalt::cli {

// A line each: name, phase, available of replicas, queue, age; with what they hold and when they
// end where that is asked for.
std::string ReservationsText(const boost::json::array& items, const TableForm& form, Time now);
// One, with its nodes and owners.
std::string ReservationText(const boost::json::object& reservation, Time now);

}  // namespace basalt::cli
