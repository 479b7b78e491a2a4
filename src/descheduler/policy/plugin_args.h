#pragma once

#include "descheduler/policy/field.h"
#include "descheduler/policy/policy.h"

// The arguments of each plugin, read from the `args` of a pluginConfig. What is wrong is complained
// of through the field.
namespace basalt::descheduler {

DefragmentationArgs ReadDefragmentation(const Field& args);
DefaultEvictorArgs ReadDefaultEvictor(const Field& args);
LoadAwareArgs ReadLoadAware(const Field& args);
NodeAffinityArgs ReadNodeAffinity(const Field& args);
NodeTaintsArgs ReadNodeTaints(const Field& args);
InterPodAntiAffinityArgs ReadInterPodAntiAffinity(const Field& args);

// A selector as kubectl writes it.
void ReadTextSelector(const Field& field, kube::LabelSelector* selector);

}  // namespace basalt::descheduler
