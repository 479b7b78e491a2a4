#pragma once

#include <memory>
#include <string_view>

#include "apiserver/object/kind.h"

// The rules of each built-in kind; the classes behind them are private to their files.
namespace basalt::apiserver {

std::shared_ptr<const KindRules> PodRulesInstance();
// core.cc
std::shared_ptr<const KindRules> NodeRulesInstance();
std::shared_ptr<const KindRules> NamespaceRulesInstance();
// event.cc: of core/v1 and of events.k8s.io/v1
std::shared_ptr<const KindRules> EventRulesInstance();
std::shared_ptr<const KindRules> NewEventRulesInstance();
// config.cc
std::shared_ptr<const KindRules> SecretRulesInstance();
std::shared_ptr<const KindRules> ConfigMapRulesInstance();
std::shared_ptr<const KindRules> ServiceAccountRulesInstance();
// service.cc
std::shared_ptr<const KindRules> ServiceRulesInstance();
std::shared_ptr<const KindRules> EndpointsRulesInstance();
// network_policy.cc
std::shared_ptr<const KindRules> NetworkPolicyRulesInstance();
// storage.cc
std::shared_ptr<const KindRules> ClaimRulesInstance();
std::shared_ptr<const KindRules> VolumeRulesInstance();
std::shared_ptr<const KindRules> StorageClassRulesInstance();
std::shared_ptr<const KindRules> CsiNodeRulesInstance();
std::shared_ptr<const KindRules> CsiDriverRulesInstance();
std::shared_ptr<const KindRules> CsiCapacityRulesInstance();
std::shared_ptr<const KindRules> AttachmentRulesInstance();
// quota.cc
std::shared_ptr<const KindRules> QuotaRulesInstance();
std::shared_ptr<const KindRules> LimitRangeRulesInstance();
// workloads.cc
std::shared_ptr<const KindRules> DeploymentRulesInstance();
std::shared_ptr<const KindRules> ReplicaSetRulesInstance();
std::shared_ptr<const KindRules> StatefulSetRulesInstance();
std::shared_ptr<const KindRules> DaemonSetRulesInstance();
// job.cc
std::shared_ptr<const KindRules> JobRulesInstance();
std::shared_ptr<const KindRules> CronJobRulesInstance();
// policy.cc
std::shared_ptr<const KindRules> BudgetRulesInstance();
std::shared_ptr<const KindRules> PriorityClassRulesInstance();
std::shared_ptr<const KindRules> LeaseRulesInstance();
// plain.cc: of a kind that is served from its schema, by its type
std::shared_ptr<const KindRules> PlainRulesInstance(std::string_view type);
// webhook_configuration.cc
std::shared_ptr<const KindRules> WebhookRulesInstance(bool mutating);

}  // namespace basalt::apiserver
