#include "testing/controllers/controller_story.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <map>
#include <memory>
#include <regex>
#include <sstream>
#include <vector>

#include "controllers/cronjob/cronjob_controller.h"
#include "controllers/hypernode/hypernode_controller.h"
#include "controllers/job/gc_controller.h"
#include "controllers/job/job_controller.h"
#include "controllers/jobflow/jobflow_controller.h"
#include "controllers/podgroup/podgroup_controller.h"
#include "controllers/queue/queue_controller.h"
#include "kube/types/time.h"
#include "testing/scheduling/scheduling_cluster.h"
#include "testing/stories/objects.h"

namespace basalt::testutil {
namespace {

namespace resources = kube::resources;

constexpr Duration kStep = 2s;

const std::map<std::string_view, const kube::Resource*>& ResourcesByWord() {
  static const std::map<std::string_view, const kube::Resource*> words = {
      {"job", &resources::kVcJobs},
      {"pod", &resources::kPods},
      {"queue", &resources::kQueues},
      {"group", &resources::kPodGroups},
      {"flow", &resources::kJobFlows},
      {"template", &resources::kJobTemplates},
      {"cron", &resources::kVcCronJobs},
      {"hypernode", &resources::kHyperNodes},
      {"node", &resources::kNodes},
      {"claim", &resources::kPersistentVolumeClaims},
      {"deployment", &resources::kDeployments},
      {"replicaset", &resources::kReplicaSets},
      {"statefulset", &resources::kStatefulSets},
      {"daemonset", &resources::kDaemonSets},
      {"batchjob", &resources::kJobs},
      {"command", &resources::kCommands},
      {"class", &resources::kPriorityClasses},
      {"namespace", &resources::kNamespaces}};
  return words;
}

const kube::Resource* ResourceOf(std::string_view api_version, std::string_view kind) {
  for (const auto& [word, resource] : ResourcesByWord()) {
    if (resource->kind == kind && resource->ApiVersion() == api_version) return resource;
  }
  return nullptr;
}

bool IsNamespaced(const kube::Resource& resource) {
  return &resource != &resources::kQueues && &resource != &resources::kHyperNodes &&
         &resource != &resources::kNodes && &resource != &resources::kPriorityClasses &&
         &resource != &resources::kNamespaces;
}

// What is made anew each time has a word in its place.
std::string Settled(const std::string& text) {
  static const std::regex kUid("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
  static const std::regex kClaim("(-pvc-)[0-9a-z]{12}");
  return std::regex_replace(std::regex_replace(text, kUid, "UID"), kClaim, "$1RANDOM");
}

// Passes everything on and writes down what is written.
class NotingApiClient final : public kube::ApiClient {
 public:
  NotingApiClient(kube::ApiClient& api, std::vector<std::string>& notes)
      : api_(api), notes_(notes) {}

  void Send(kube::ApiRequest request, kube::ApiHandler handler) override {
    if (request.method != "GET") notes_.push_back(Settled(Note(request)));
    api_.Send(std::move(request), std::move(handler));
  }
  std::unique_ptr<kube::WatchStream> Watch(kube::ApiRequest request,
                                           kube::WatchObserver& observer) override {
    return api_.Watch(std::move(request), observer);
  }
  Loop& loop() override { return api_.loop(); }

 private:
  // ".../namespaces/default/pods/web-0" → "pods/web-0".
  static std::string PlaceOf(std::string path) {
    for (const std::string_view mark : {"/namespaces/default/", "/namespaces/"}) {
      if (const std::size_t at = path.find(mark); at != path.npos) {
        return path.substr(at + mark.size());
      }
    }
    // "/api/v1/nodes/n", "/apis/GROUP/VERSION/queues/q"
    for (int part = path.starts_with("/apis/") ? 4 : 3; part > 0; --part) {
      path.erase(0, path.find('/') + 1);
    }
    return path;
  }

  // What a patch changes, without what only guards it, and without a status' history.
  static std::string ChangeIn(json::value body) {
    std::string text;
    if (const json::array* operations = body.if_array()) {
      for (const json::value& one : *operations) {
        const std::string path = TextAt(one, "path");
        if (path == "/metadata/resourceVersion") continue;
        json::value value = one.get_object().contains("value") ? one.at("value") : json::value();
        if (path == "/status" && value.is_object()) value.get_object().erase("conditions");
        text += fmt::format(" {} {}", path, json::serialize(value));
      }
      return text;
    }
    json::object& object = body.as_object();
    if (json::value* metadata = object.if_contains("metadata")) {
      for (const char* guard : {"uid", "resourceVersion"}) metadata->as_object().erase(guard);
      if (metadata->as_object().empty()) object.erase("metadata");
    }
    return " " + json::serialize(object);
  }

  static std::string Note(const kube::ApiRequest& request) {
    boost::system::error_code error;
    const json::value body = json::parse(request.body.empty() ? "{}" : request.body, error);
    const std::string place = PlaceOf(request.path);
    if (place.starts_with("events")) {
      return fmt::format("says {}: {}", TextAt(body, "reason"), TextAt(body, "message"));
    }
    if (request.method == "DELETE") {
      const std::string how = TextAt(body, "propagationPolicy");
      return fmt::format("DELETE {}{}{}", place, how.empty() ? "" : " ", how);
    }
    if (request.method != "POST") {
      return fmt::format("{} {}{}", request.method, place, ChangeIn(body));
    }
    std::string made = TextAt(body, "metadata.name");
    if (made.empty()) made = TextAt(body, "metadata.generateName") + "*";
    const bool told = place == "podgroups" || place == "queues";
    return fmt::format("POST {}/{}{}", place, made,
                       told ? " " + json::serialize(body.at("spec")) : "");
  }

  kube::ApiClient& api_;
  std::vector<std::string>& notes_;
};

// The process of the controllers.
class Manager {
 public:
  Manager(SchedulingCluster& cluster, const std::vector<std::string>& names,
          std::vector<std::string>& notes)
      : api_(cluster.network()),
        noting_(api_, notes),
        client_(noting_),
        events_(client_, {.component = "vc-controller-manager"}) {
    for (const std::string& name : names) Add(name);
    for (const auto& controller : controllers_) controller->Start();
  }

 private:
  void Add(const std::string& name) {
    using namespace controllers;
    if (name == "job") {
      Make<JobController>(client_, events_, JobControllerOptions{.max_requeue = 3});
    } else if (name == "gc") {
      Make<GcController>(client_);
    } else if (name == "jobflow") {
      Make<JobFlowController>(client_, events_);
    } else if (name == "jobtemplate") {
      Make<JobTemplateController>(client_);
    } else if (name == "cronjob") {
      Make<CronJobController>(client_, events_);
    } else if (name == "queue") {
      Make<QueueController>(client_, events_);
    } else if (name == "podgroup") {
      Make<PodGroupController>(client_, events_, PodGroupControllerOptions{});
    } else if (name == "hypernode") {
      Make<HyperNodeController>(client_);
    } else {
      ADD_FAILURE() << "there is no controller " << name;
    }
  }
  template <class T, class... Arguments>
  void Make(Arguments&&... arguments) {
    controllers_.push_back(std::make_unique<T>(std::forward<Arguments>(arguments)...));
  }

  DirectApiClient api_;
  NotingApiClient noting_;
  kube::Client client_;
  kube::EventRecorder events_;
  std::vector<std::unique_ptr<controllers::Controller>> controllers_;
};

class ControllerTeller {
 public:
  std::string Tell(std::string_view story) {
    std::istringstream lines{std::string(story)};
    bool heard = false;  // the last line was an answer
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("| ")) {
        below_ += line.substr(2) + "\n";
        out_ += line + "\n";
        continue;
      }
      MakeObjects();
      if (line.starts_with("=>")) {
        if (!heard) Hear();
        heard = true;
        continue;
      }
      heard = false;
      out_ += line + "\n";
      if (!line.empty() && line[0] != '#') Do(Words(line));
    }
    MakeObjects();
    return out_;
  }

 private:
  void Do(const std::vector<std::string>& words) {
    const std::string& what = words[0];
    if (what == "controllers") {
      names_.assign(words.begin() + 1, words.end());
      manager_ = std::make_unique<Manager>(cluster_, names_, written_);
      Pass(kStep);
    } else if (what == "make") {
      making_ = true;
    } else if (what == "change") {
      Patch(words[1], words[2], "", words[3]);
    } else if (what == "status") {
      Patch(words[1], words[2], "status", fmt::format(R"({{"status":{}}})", words[3]));
    } else if (what == "delete") {
      const kube::Resource& resource = *ResourcesByWord().at(words[1]);
      EXPECT_TRUE(cluster_.Delete({resource, NamespaceOf(resource), words[2]})) << words[2];
    } else if (what == "pod") {
      SetPod(words);
    } else if (what == "groups") {
      for (const json::value& group : cluster_.List(resources::kPodGroups)) {
        const std::string why = words.size() > 2 ? "," + words[2] : "";
        Patch("group", TextAt(group, "metadata.name"), "status",
              fmt::format(R"({{"status":{{"phase":"{}"{}}}}})", words[1], why));
      }
    } else if (what == "command") {
      Command(words);
    } else if (what == "kill") {
      manager_.reset();
    } else if (what == "start") {
      manager_ = std::make_unique<Manager>(cluster_, names_, written_);
    } else if (what[0] == '+') {
      Pass(kube::ParseDuration(what.substr(1)).value());
    } else {
      ADD_FAILURE() << "a story of controllers knows no " << what;
    }
  }

  static std::string NamespaceOf(const kube::Resource& resource) {
    return IsNamespaced(resource) ? "default" : "";
  }

  void Pass(Duration time) { cluster_.loop().RunFor(time); }

  void MakeObjects() {
    const std::string yaml = std::exchange(below_, {});
    if (!std::exchange(making_, false)) return;
    for (const json::value& document : Documents(yaml)) {
      json::object object = document.as_object();
      const std::string kind = TextAt(object, "kind"), name = TextAt(object, "metadata.name");
      const kube::Resource* resource = ResourceOf(TextAt(object, "apiVersion"), kind);
      ASSERT_NE(resource, nullptr) << "a story of controllers knows no " << kind;
      const json::value* status = object.if_contains("status");
      const std::string told = status ? json::serialize(*status) : "";
      const std::string ns = NamespaceOf(*resource);
      cluster_.MustCreate(*resource, ns, std::move(object));
      if (told.empty()) continue;
      EXPECT_TRUE(cluster_.Patch({*resource, ns, name, "status"}, kube::PatchKind::kMerge,
                                 fmt::format(R"({{"status":{}}})", told)));
    }
  }

  void Patch(const std::string& word, const std::string& name, std::string_view subresource,
             const std::string& body) {
    const kube::Resource& resource = *ResourcesByWord().at(word);
    const auto done = cluster_.Patch({resource, NamespaceOf(resource), name, subresource},
                                     kube::PatchKind::kMerge, body);
    EXPECT_TRUE(done) << name << ": " << done.error().message;
  }

  void SetPod(const std::vector<std::string>& words) {
    const std::string exit = words.size() > 3 ? words[3] : "0";
    const std::string restarts = words.size() > 4 ? words[4] : "0";
    const bool runs = words[2] == "Running";
    const std::string state = runs ? R"({"running":{}})"
                              : words[2] == "Pending"
                                  ? R"({"waiting":{}})"
                                  : fmt::format(R"({{"terminated":{{"exitCode":{}}}}})", exit);
    Patch("pod", words[1], "status",
          fmt::format(R"({{"status":{{"phase":"{}","containerStatuses":[{{"name":"c","image":"i",
              "imageID":"","ready":{},"restartCount":{},"state":{}}}]}}}})",
                      words[2], runs, restarts, state));
  }

  void Command(const std::vector<std::string>& words) {
    const kube::Resource& resource = *ResourcesByWord().at(words[2]);
    const json::value target = cluster_.Get(resource, NamespaceOf(resource), words[3]);
    cluster_.Create(MakeObject(resources::kCommands, fmt::format("c{}", ++commands_))
                        .Set("action", words[1])
                        .Set("target", json::object{{"apiVersion", resource.ApiVersion()},
                                                    {"kind", resource.kind},
                                                    {"name", words[3]},
                                                    {"uid", TextAt(target, "metadata.uid")}}));
  }

  void Hear() {
    Pass(kStep);
    if (written_.empty()) written_.push_back("nothing");
    for (const std::string& line : written_) out_ += "=> " + line + "\n";
    written_.clear();
  }

  SchedulingCluster cluster_;
  std::vector<std::string> names_;
  std::vector<std::string> written_;
  std::unique_ptr<Manager> manager_;
  int commands_ = 0;
  bool making_ = false;
  std::string below_;
  std::string out_;
};

}  // namespace

std::string TellOfControllers(std::string_view story) { return ControllerTeller().Tell(story); }

}  // namespace basalt::testutil
