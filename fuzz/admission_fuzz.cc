// deps: basalt_webhook basalt_apiserver
#include <boost/json/parse.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "apiserver/admission/webhook.h"
#include "base/check.h"
#include "kube/types/admission.h"
#include "webhook/review_answer.h"
#include "webhook/routes.h"

using namespace basalt;
using namespace basalt::webhook;

namespace {

const Snapshot& Cluster() {
  static const Snapshot snapshot = [] {
    Snapshot made;
    for (const char* name : {"root", "default", "a", "b"}) {
      auto queue = std::make_shared<kube::Queue>();
      queue->meta.name = name;
      if (*name == 'b') queue->parent = "a";
      queue->capability.Set("cpu", kube::Quantity::Of(8));
      queue->guarantee.Set("cpu", kube::Quantity::Of(2));
      made.PutQueue(std::move(queue));
    }
    kube::Namespace ns;
    ns.meta.name = "default";
    ns.meta.annotations = {{"scheduling.volcano.sh/queue-name", "a"}};
    made.PutNamespace(ns);
    return made;
  }();
  return snapshot;
}

// Whatever the review, it is written as an answer that can be read.
void Judge(const Route& route, const kube::AdmissionRequest& request) {
  const Result<Review> review = route.judge(request, Cluster(), Policy(), Time());
  if (!review) {
    BASALT_CHECK(!review.error().message.empty());
    return;
  }
  BASALT_CHECK(review->patch.empty() || route.mutating);
  const boost::json::value answer = boost::json::parse(WriteAnswer(request.uid, *review));
  BASALT_CHECK(answer.at("response").at("allowed").as_bool() == review->problems.empty());
}

}  // namespace

// Bytes as a whole review, and as the object of one of each kind; as an expression too.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result<kube::AdmissionRequest> request = kube::DecodeAdmissionReview(text);
  if (!request) BASALT_CHECK(!request.error().message.empty());
  for (const Route& route : AllRoutes()) {
    if (request) Judge(route, *request);
    kube::AdmissionRequest direct;
    direct.uid = "u";
    direct.ns = "default";
    direct.object = text;
    Judge(route, direct);
    direct.operation = kube::AdmissionRequest::Operation::kUpdate;
    direct.old_object = R"({"metadata":{"name":"a"},"spec":{}})";
    Judge(route, direct);
  }
  if (const auto condition = apiserver::MatchCondition::Parse(text)) {
    apiserver::AdmissionRequest write;
    write.object = {{"spec", boost::json::object{{"schedulerName", "volcano"}}}};
    (void)condition->Evaluate(write);
  }
  return 0;
}
