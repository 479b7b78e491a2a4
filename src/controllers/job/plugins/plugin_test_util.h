#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/job/plugins/plugin.h"
#include "kube/types/codec.h"

// A job "train" with one plugin, and what that makes of it.
namespace basalt::controllers {

namespace json = boost::json;

class PluginJob {
 public:
  // `tasks`: name and replicas of each. `plugin`: as in spec.plugins, "svc": ["--x"].
  PluginJob(std::string_view plugin, const std::vector<std::pair<std::string, int>>& tasks,
            std::string_view more_of_the_pod = "") {
    std::string list;
    for (const auto& [name, replicas] : tasks) {
      if (!list.empty()) list += ",";
      list += fmt::format(
          R"({{"name": "{}", "replicas": {}, "template": {{"spec": {{{}
             "containers": [{{"name": "{}", "image": "i"}}],
             "initContainers": [{{"name": "first", "image": "i"}}]}}}}}})",
          name, replicas, more_of_the_pod, name);
    }
    const auto job = kube::Decode<kube::VcJob>(fmt::format(
        R"({{"metadata": {{"name": "train", "namespace": "ml", "uid": "u"}},
             "spec": {{"plugins": {{{}}}, "tasks": [{}]}}}})",
        plugin, list));
    EXPECT_TRUE(job) << job.error().message;
    job_ = *job;
    set_ = MakePlugins(job_.spec);
  }

  // A pod of the task as the plugins leave it.
  json::value Pod(std::string_view task, int index) const {
    const kube::VcJobTask& found = *job_.spec.FindTask(task);
    json::object pod = json::parse(found.pod_template.raw).get_object();
    const std::string name = fmt::format("train-{}-{}", task, index);
    set_.OnPod({.job = job_, .task = found, .index = index, .name = name}, pod);
    return pod;
  }
  // "A=1 B=2", of its main or first init container. What comes from elsewhere is in brackets.
  std::string Env(std::string_view task, int index, bool init = false) const {
    std::string text;
    const json::value pod = Pod(task, index);
    const json::value& container = pod.at("spec").at(init ? "initContainers" : "containers").at(0);
    const json::value* env = container.get_object().if_contains("env");
    if (!env) return "";
    for (const json::value& entry : env->get_array()) {
      if (!text.empty()) text += " ";
      const json::object& one = entry.get_object();
      text += one.at("name").get_string();
      text += "=";
      if (one.contains("value")) {
        text += one.at("value").get_string();
      } else {
        const json::value& key = one.at("valueFrom").at("configMapKeyRef");
        text += fmt::format("[{}/{}]", std::string_view(key.at("name").get_string()),
                            std::string_view(key.at("key").get_string()));
      }
    }
    return text;
  }
  // "kind/name" → body.
  std::map<std::string, json::value> Objects() const {
    std::map<std::string, json::value> objects;
    for (const auto& plugin : set_.plugins) {
      auto made = plugin->Objects(job_);
      EXPECT_TRUE(made);
      for (PluginObject& object : *made) {
        objects[fmt::format("{}/{}", object.resource->kind, object.name)] = std::move(object.body);
      }
    }
    return objects;
  }
  std::vector<std::string> complaints() const { return set_.complaints; }

 private:
  kube::VcJob job_;
  PluginSet set_;
};

}  // namespace basalt::controllers
