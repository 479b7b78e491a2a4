// The scheduler on a cluster that has kept Volcano's own definition of PodGroups.
#include "testing/scheduling/volcanos_kinds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>

#include "scheduler/service/scheduler_service.h"
#include "testing/counting_api_client.h"
#include "testing/scheduling/scheduling_cluster.h"

namespace basalt::scheduler {
namespace {

using testutil::MakePod;
using testutil::MakePodGroup;
using testutil::TextAt;
namespace json = boost::json;
namespace resources = kube::resources;

class VolcanosKindsTest : public testing::Test {
 protected:
  void Define(json::value (*change)(json::value)) {
    const kube::Target target{resources::kCustomResourceDefinitions, "",
                              testutil::kPodGroupDefinition};
    const json::value now = cluster_.Get(target.resource, "", target.name);
    const auto updated = cluster_.Call([&](kube::Client& client, kube::ApiHandler done) {
      client.Update(target, json::serialize(change(now)), std::move(done));
    });
    ASSERT_TRUE(updated) << updated.error().message;
    cluster_.loop().RunFor(1s);
  }
  std::string PhaseAfterAWhile(const std::string& group) {
    cluster_.Create(MakePodGroup(group, 1));
    cluster_.Create(MakePod(group).Cpu("1").Group(group));
    cluster_.loop().RunFor(5s);
    return TextAt(cluster_.Get(resources::kPodGroups, "default", group), "status.phase");
  }

  testutil::SchedulingCluster cluster_;
  testutil::CountingApiClient counting_{cluster_.api()};
  kube::Client client_{counting_};
  SchedulerService service_{cluster_.loop(), client_};
};

TEST_F(VolcanosKindsTest, AGroupsStatusIsWrittenWhereverTheDefinitionHasIt) {
  Define(testutil::WithoutStatusSubresource);
  cluster_.Create(testutil::MakeNode("n0").Cpu("8"));
  service_.Start();
  EXPECT_EQ(PhaseAfterAWhile("first"), "Running");
  EXPECT_EQ(counting_.writes("PATCH podgroups/status"), 1) << "it is known from then on";
  EXPECT_EQ(PhaseAfterAWhile("second"), "Running");
  EXPECT_EQ(counting_.writes("PATCH podgroups/status"), 1);
  Define(testutil::WithStatusSubresource);
  EXPECT_EQ(PhaseAfterAWhile("third"), "Running");
  counting_.Clear();
  EXPECT_EQ(PhaseAfterAWhile("fourth"), "Running");
  EXPECT_GT(counting_.writes("PATCH podgroups/status"), 0);
  EXPECT_EQ(counting_.writes("PATCH podgroups"), 0);
}

}  // namespace
}  // namespace basalt::scheduler
