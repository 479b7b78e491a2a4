#pragma once

#include <boost/json/object.hpp>
#include <string>

#include "kube/types/resource_list.h"
#include "model/amounts.h"

namespace basalt::scheduler::explain {

// The model's amounts as Kubernetes writes them: cpu "1500m", memory "4Gi".
kube::Quantity ToQuantity(int dimension, double amount);
std::string FormatAmount(int dimension, double amount);
// Of the dimensions in `which`: "cpu 2, memory 4Gi".
std::string FormatAmounts(const model::Amounts& amounts, model::DimensionSet which,
                          const model::Dimensions& dimensions);
// CPU and memory always, of the others those that are defined and not zero.
kube::ResourceList ToResourceList(const model::Amounts& amounts,
                                  const model::Dimensions& dimensions);
boost::json::object ToJson(const kube::ResourceList& list);

}  // namespace basalt::scheduler::explain
