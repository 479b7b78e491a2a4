#pragma once

#include "apiserver/object/kind.h"

// The built-in kinds as data: kinds/builtin.txt, embedded in the program. An entry is a line with
// the types of kinds (data/kinds.txt has what Kubernetes publishes of them), then words:
//
//   short=A,B categories=A,B   what kubectl calls it and finds it by
//   subresources=A,B           those that are no part of the object
//   select=A,B:C               fields that field selectors know, by their paths; B is the field C
//                              (B:C|D: D where C is empty)
//   name=CHECK                 what names must be where they need not be subdomains of DNS
//   idle=WHY                   nothing acts on it: for want of a "controller", or of "permissions"
//   cells WORD...              all that follows: a row of kubectl's table (cells.h)
//   anything else              a flag of KindInfo or KindTraits, by the names in builtin.cc
namespace basalt::apiserver {

// Every kind that the server serves without a CRD, with its rules. core/v1 and events.k8s.io/v1
// Events are both listed, and stored as the former.
std::vector<KindInfo> BuiltinKinds();

// An Event is one object with two faces: core/v1 and events.k8s.io/v1. Both directions change names
// of fields only, and apiVersion.
json::object ToCoreEvent(const json::object& event);
json::object FromCoreEvent(const json::object& event);

// The objects that exist from the start: the namespaces default, kube-system, kube-public and
// kube-node-lease, and the two system priority classes.
std::vector<json::object> InitialObjects();

// The texts of builtin.txt and initial.txt.
std::string_view BuiltinText();
std::string_view InitialText();

}  // namespace basalt::apiserver
