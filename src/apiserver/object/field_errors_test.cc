#include "apiserver/object/field_errors.h"

#include <gtest/gtest.h>

#include "apiserver/object/status.h"

namespace basalt::apiserver {
namespace {

TEST(FieldErrorsTest, WordsEachComplaintAsKubernetesDoes) {
  FieldErrors errors;
  errors.Required("spec.a");
  errors.Invalid("spec.b", "x\"y", "must be z");
  errors.Invalid("spec.n", -1, "must be greater than or equal to 0");
  errors.NotSupported("spec.c", "Z", {"A", "B"});
  errors.Forbidden("spec.d", "may not be changed");
  errors.Duplicate("spec.e", "x");
  errors.TooLong("spec.f", 63);
  errors.TooMany("spec.g", 5, 3);
  EXPECT_EQ(errors.Message(),
            R"([spec.a: Required value, spec.b: Invalid value: "x\"y": must be z, )"
            R"(spec.n: Invalid value: -1: must be greater than or equal to 0, )"
            R"(spec.c: Unsupported value: "Z": supported values: "A", "B", )"
            R"(spec.d: Forbidden: may not be changed, spec.e: Duplicate value: "x", )"
            R"(spec.f: Too long: may not be more than 63 bytes, )"
            R"(spec.g: Too many: 5: must have at most 3 items])");
}

TEST(FieldErrorsTest, SaysARepeatedComplaintOnceAndOneWithoutBrackets) {
  FieldErrors errors;
  errors.Required("spec.a");
  errors.Required("spec.a");
  EXPECT_EQ(errors.Message(), "spec.a: Required value");
}

TEST(StatusTest, InvalidCarriesACauseForEachComplaint) {
  KindInfo kind{.group = "apps", .version = "v1", .kind = "Deployment", .plural = "deployments"};
  FieldErrors errors;
  errors.Required("spec.selector");
  const ApiStatus status = refusal::Invalid(kind, "web", errors);
  EXPECT_EQ(status.message, R"(Deployment.apps "web" is invalid: spec.selector: Required value)");
  ASSERT_EQ(status.details->causes.size(), 1u);
  EXPECT_EQ(status.details->causes[0].message, "Required value");
  EXPECT_EQ(status.details->causes[0].field, "spec.selector");
  EXPECT_EQ(status.details->kind, "Deployment");
}

}  // namespace
}  // namespace basalt::apiserver
