#pragma once

#include <string>

#include "apiserver/core/core.h"
#include "apiserver/storage/store.h"

namespace basalt::apiserver {

// Serves what CustomResourceDefinitions define, while they exist, and tells them so in their
// status. A definition's kinds are there when its create returns; its conditions follow a moment
// later. Owned by the server; loop thread only.
class DefinitionController final : public EventSink {
 public:
  explicit DefinitionController(Core& core);
  ~DefinitionController() override;

  void OnEvent(const StoreEvent& event) override;

 private:
  void Register(const json::object& definition);
  void Unregister(const json::object& definition);
  void WriteStatus(const std::string& name);
  // Why another definition's names stand against these; empty: nothing does.
  std::string Conflict(const json::object& definition) const;

  Core& core_;
  Collection& definitions_;
  Scope scope_;
};

}  // namespace basalt::apiserver
