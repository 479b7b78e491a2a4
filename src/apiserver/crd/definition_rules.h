#pragma once

#include <memory>

#include "apiserver/object/kind.h"

namespace basalt::apiserver {

// The rules of CustomResourceDefinition itself.
std::shared_ptr<const KindRules> DefinitionRules();

}  // namespace basalt::apiserver
