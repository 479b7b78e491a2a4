#include "kube/types/admission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace basalt::kube {
namespace {

using testing::HasSubstr;

TEST(AdmissionReviewTest, ReadsTheRequestAndKeepsTheObjectsAsText) {
  const auto request = DecodeAdmissionReview(R"({"apiVersion":"admission.k8s.io/v1",
    "kind":"AdmissionReview","request":{"uid":"u","kind":{"kind":"Pod"},
    "resource":{"group":"","version":"v1","resource":"pods"},"subResource":"status",
    "name":"n","namespace":"team","operation":"UPDATE","userInfo":{"username":"me"},
    "object":{"a": [1, {"b":"}"}]},"oldObject":{"a":2},"dryRun":true,"options":null}})");
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_EQ(request->uid, "u");
  EXPECT_EQ(request->operation, AdmissionRequest::Operation::kUpdate);
  EXPECT_EQ(request->group, "");
  EXPECT_EQ(request->version, "v1");
  EXPECT_EQ(request->resource, "pods");
  EXPECT_EQ(request->subresource, "status");
  EXPECT_EQ(request->ns, "team");
  EXPECT_EQ(request->name, "n");
  EXPECT_EQ(request->user, "me");
  EXPECT_TRUE(request->dry_run);
  EXPECT_EQ(request->object, R"({"a": [1, {"b":"}"}]})");
  EXPECT_EQ(request->old_object, R"({"a":2})");
}

TEST(AdmissionReviewTest, SaysWhatIsWrong) {
  struct Case {
    const char* text;
    const char* want;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"", ""},
           {"[]", "object"},
           {"{", ""},
           {R"({"kind":"Pod"})", "kind: \"Pod\": want AdmissionReview"},
           {R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1beta1"})",
            "apiVersion: \"admission.k8s.io/v1beta1\": want admission.k8s.io/v1"},
           {R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"})", "request: missing"},
           {R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{}})",
            "request.uid: missing"},
           {R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":[]})",
            "request: "},
           {R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1",
             "request":{"uid":"u","operation":"PURGE"}})",
            "request.operation: \"PURGE\""},
           {R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1",
             "request":{"uid":"u","operation":"CREATE"}})",
            "request.resource.resource: missing"},
           {R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1",
             "request":{"uid":"u","operation":"CREATE","object":"text"}})",
            "request.object: "},
       }) {
    const auto request = DecodeAdmissionReview(c.text);
    ASSERT_FALSE(request) << c.text;
    EXPECT_THAT(request.error().message, HasSubstr(c.want)) << c.text;
    EXPECT_NE(request.error().message, "") << c.text;
  }
}

}  // namespace
}  // namespace basalt::kube
