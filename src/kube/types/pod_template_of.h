#pragma once

#include <boost/json/object.hpp>

// What can be told of a pod that runs about those that will take its place. Pure, on JSON: a
// template must have every field, also those that Basalt does not read.
namespace basalt::kube {

// The template that the pod was made from, as far as it matters: labels, and the spec as it was
// asked for, without what admission, scheduler and node have added.
boost::json::object TemplateOf(const boost::json::object& pod);

// The pod's controller (apiVersion, kind, name, uid), as a reservation's owner has it; empty: the
// pod has none.
boost::json::object ControllerOf(const boost::json::object& pod);

}  // namespace basalt::kube
