#include "testing/stories/story.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>
#include <cctype>
#include <map>
#include <memory>
#include <sstream>
#include <vector>

#include "base/check.h"
#include "kube/types/codec.h"
#include "kube/types/namespace.h"
#include "kube/types/pdb.h"
#include "kube/types/resource_quota.h"
#include "kube/types/storage.h"
#include "kube/types/time.h"
#include "testing/settling/fast_cluster.h"
#include "testing/stories/decisions.h"
#include "testing/stories/objects.h"

namespace basalt::testutil {
namespace {

// So long a step takes: cycles follow events at once.
constexpr Duration kStep = 50ms;

class Teller {
 public:
  std::string Tell(std::string_view story) {
    std::istringstream lines{std::string(story)};
    bool heard = false;  // the last line was an answer
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("=>")) {
        if (!heard) Hear();
        heard = true;
        continue;
      }
      heard = false;
      out_ += line + "\n";
      if (!line.empty() && line[0] != '#') Do(line);
    }
    return out_;
  }

 private:
  void Do(const std::string& line) {
    std::vector<std::string> words = Words(line);
    const std::string what = words.front();
    words.erase(words.begin());
    if (what.ends_with('x') && std::isdigit(static_cast<unsigned char>(what[0])) != 0) {
      for (int i = 0; i < std::stoi(what); ++i) {
        std::string one = line.substr(line.find(' ') + 1);
        for (std::size_t at; (at = one.find('%')) != one.npos;)
          one.replace(at, 1, std::to_string(i));
        Do(one);
      }
      return;
    }
    if (what == "actions") {
      actions_ = fmt::format("{}", fmt::join(words, ", "));
    } else if (what == "plugins") {
      plugins_ = words;
    } else if (what == "argument") {
      arguments_[words[0]].push_back(words[1]);
    } else if (what[0] == '+') {
      Start();
      cluster_->loop().RunFor(kube::ParseDuration(what.substr(1)).value());
    } else if (what == "books") {
      books_ = true;
    } else if (what == "queues") {
      queues_ = true;
    } else if (what == "restart") {
      cluster_->RestartScheduler();
    } else {
      Start();
      if (what == "delete") {
        Delete(words[0], words[1]);
      } else {
        Add(what, words);
      }
    }
  }

  void Start() {
    if (cluster_) return;
    std::string config = fmt::format("actions: \"{}\"\ntiers:\n- plugins:\n", actions_);
    const auto arguments = [&](const std::string& of, std::string_view indent) {
      if (!arguments_.contains(of)) return;
      config += fmt::format("{}arguments:\n", indent);
      for (const std::string& argument : arguments_[of]) {
        const std::size_t equals = argument.find('=');
        config += fmt::format("{}  {}: {}\n", indent, argument.substr(0, equals),
                              argument.substr(equals + 1));
      }
    };
    for (const std::string& plugin : plugins_) {
      if (plugin == "/") {
        config += "- plugins:\n";
        continue;
      }
      // "capacity:enableHierarchy": a switch that is on.
      const std::size_t colon = plugin.find(':');
      config += fmt::format("  - name: {}\n", plugin.substr(0, colon));
      if (colon != plugin.npos) config += fmt::format("    {}: true\n", plugin.substr(colon + 1));
      arguments(plugin.substr(0, colon), "    ");
    }
    bool any = false;
    for (const char* action : {"allocate", "preempt", "reclaim", "enqueue", "backfill"}) {
      if (!arguments_.contains(action)) continue;
      if (!any) config += "configurations:\n";
      any = true;
      config += fmt::format("- name: {}\n", action);
      arguments(action, "  ");
    }
    FastClusterOptions options;
    options.config = config;
    options.most_latency = Duration{0};
    options.heard = [this](const model::Intent& intent) {
      if (std::holds_alternative<model::QueueStatus>(intent) && !queues_) return;
      for (std::string& line : InWords(intent)) decided_.push_back(std::move(line));
    };
    cluster_ = std::make_unique<FastCluster>(std::move(options));
  }

  template <class T>
  void Decoded(const boost::json::object& object) {
    auto decoded = kube::Decode<T>(boost::json::serialize(object));
    if (!decoded) {
      ADD_FAILURE() << decoded.error().message << ": " << boost::json::serialize(object);
      return;
    }
    if (decoded->meta.creation_timestamp == Time{}) {
      decoded->meta.creation_timestamp = cluster_->loop().Now();
    }
    cluster_->Add(std::move(*decoded));
  }

  void Add(const std::string& kind, std::vector<std::string> words) {
    std::string name = words.front();
    words.erase(words.begin());
    const bool in_namespace = kind == "pod" || kind == "group" || kind == "budget" ||
                              kind == "quota" || kind == "claim" || kind == "reservation";
    if (in_namespace && name.find('/') == name.npos) name = "ns/" + name;
    for (std::string& word : words) {
      // "created=-10s": so long ago.
      if (!word.starts_with("created=-")) continue;
      const Time then = cluster_->loop().Now() - kube::ParseDuration(word.substr(9)).value();
      word = "created=" + kube::FormatTime(then);
    }
    const boost::json::object object = ObjectOf(kind, name, words);
    if (kind == "pod") {
      if (const kube::Pod* known = cluster_->FindPod(name)) {
        auto pod = kube::Decode<kube::Pod>(boost::json::serialize(object)).value();
        pod.meta.uid = known->meta.uid;
        pod.meta.creation_timestamp = known->meta.creation_timestamp;
        return cluster_->Change(std::move(pod));
      }
      return Decoded<kube::Pod>(object);
    }
    if (kind == "node") return Decoded<kube::Node>(object);
    if (kind == "queue") return Decoded<kube::Queue>(object);
    if (kind == "group") return Decoded<kube::PodGroup>(object);
    if (kind == "class") return Decoded<kube::PriorityClass>(object);
    if (kind == "budget") return Decoded<kube::PodDisruptionBudget>(object);
    if (kind == "namespace") return Decoded<kube::Namespace>(object);
    if (kind == "quota") return Decoded<kube::ResourceQuota>(object);
    if (kind == "claim") return Decoded<kube::PersistentVolumeClaim>(object);
    if (kind == "volume") return Decoded<kube::PersistentVolume>(object);
    if (kind == "storage") return Decoded<kube::StorageClass>(object);
    if (kind == "reservation") return Decoded<kube::Reservation>(object);
    ADD_FAILURE() << "a story knows no " << kind;
  }

  void Delete(const std::string& kind, const std::string& name) {
    if (kind == "pod")
      return cluster_->DeletePod(name.find('/') == name.npos ? "ns/" + name : name);
    if (kind == "node") return cluster_->RemoveNode(name);
    if (kind == "queue") return cluster_->DeleteQueue(name);
    if (kind == "group") return cluster_->DeleteGroup("ns/" + name);
    if (kind == "budget") return cluster_->DeleteBudget("ns/" + name);
    if (kind == "reservation") return cluster_->DeleteReservation("ns/" + name);
    ADD_FAILURE() << "a story deletes no " << kind;
  }

  void Hear() {
    cluster_->loop().RunFor(kStep);
    if (books_) {
      for (std::string& line : BooksInWords(cluster_->scheduler().state().cluster())) {
        decided_.push_back(std::move(line));
      }
    }
    if (decided_.empty()) decided_.push_back("nothing");
    for (const std::string& line : decided_) out_ += "=> " + line + "\n";
    decided_.clear();
    EXPECT_EQ(cluster_->violations(), "");
    EXPECT_EQ(cluster_->scheduler().missed_wakeups(), 0u);
  }

  std::string actions_ = "enqueue, allocate, backfill";
  std::vector<std::string> plugins_ = {"priority",   "gang",      "/",      "predicates",
                                       "proportion", "nodeorder", "binpack"};
  std::map<std::string, std::vector<std::string>> arguments_;
  bool books_ = false;
  bool queues_ = false;
  std::vector<std::string> decided_;
  std::string out_;
  std::unique_ptr<FastCluster> cluster_;
};

}  // namespace

std::string Tell(std::string_view story) { return Teller().Tell(story); }

}  // namespace basalt::testutil
