#pragma once

#include <string>

#include "base/error.h"
#include "cli/kubeconfig_entries.h"

namespace basalt::cli {

// The kubeconfig into which one `basalt up` writes how to reach it, as long as it runs. The file
// may be the user's own (~/.kube/config): other entries stay, and what it was about is put back at
// the end. While kubectl or another `up` changes the file, it is waited for. Owned by `up`; main
// thread only.
class KubeconfigFile {
 public:
  explicit KubeconfigFile(std::string path) : path_(std::move(path)) {}

  // Whether it can be written later. An error names the file and what is wrong with it.
  Result<void> Check() const;
  // Adds the cluster, and makes its context the current one. A folder that is missing is made.
  Result<void> Add(const UpCluster& cluster);
  // Takes it out again. Where nothing else is in a file that was not there before, the file goes.
  Result<void> Remove();

  // Of the file, absolute, once Add has written it.
  const std::string& path() const { return path_; }
  const std::string& context() const { return name_; }

 private:
  std::string path_;
  std::string name_;
  std::string server_;
  std::string before_;  // the current context
  bool made_ = false;   // the file is ours alone
};

}  // namespace basalt::cli
