#pragma once

#include "apiserver/storage/store.h"
#include "base/error.h"

namespace basalt::apiserver {

// A folder that holds a cluster: `basalt.db`, an SQLite database in WAL mode with a row for each
// object, and `lock`, held while a process has it open. Private to its user (0700): Secrets are in
// it. Errors name the file, what is wrong and what to do. Owned by a GroupCommit once the server
// runs; used by one thread at a time.
class DataFolder {
 public:
  // One object that is written or, where there is no object, removed.
  struct Change {
    std::string resource;  // "GROUP/PLURAL"
    std::string key;
    StoredPtr object;
  };

  // Made where it is missing. Refuses one that another process has open, a file that is no such
  // database or another program's, and one of a newer version.
  static Result<std::unique_ptr<DataFolder>> Open(const std::string& path);
  ~DataFolder();
  DataFolder(const DataFolder&) = delete;
  DataFolder& operator=(const DataFolder&) = delete;

  // Everything that was committed. Each object has a checksum.
  Result<KeptState> Load();
  // All or nothing, and safe from a crash of process and machine when it returns.
  Result<void> Commit(const std::vector<Change>& changes, std::uint64_t version);

  // Small texts beside the objects; "": there is none.
  Result<std::string> Setting(std::string_view name);
  Result<void> SetSetting(std::string_view name, std::string_view value);

 private:
  struct Database;
  explicit DataFolder(std::unique_ptr<Database> database);
  std::unique_ptr<Database> database_;
};

}  // namespace basalt::apiserver
