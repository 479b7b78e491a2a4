#include "apiserver/storage/data_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace basalt::apiserver {
namespace {

// "BSLT": tells our databases from other programs'.
constexpr int kApplicationId = 0x42534c54;
constexpr int kFormat = 1;

std::unexpected<Error> CannotUse(const std::string& file, std::string_view why) {
  return Fail(ErrorCode::kInvalid, fmt::format("{}: {}", file, why));
}

// FNV-1a over all that makes up a row. Finds what a disk has changed, not what a person has.
std::uint64_t Checksum(std::string_view resource, std::string_view key, std::string_view text) {
  std::uint64_t sum = 0xcbf29ce484222325;
  for (const std::string_view part : {resource, key, text}) {
    for (const char c : part) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    sum = (sum ^ 0x100) * 0x100000001b3;
  }
  return sum;
}

// A prepared statement: bind, step, and it is ready for the next use.
class SqlQuery {
 public:
  SqlQuery(sqlite3* db, std::string_view sql) {
    sqlite3_prepare_v3(db, sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT,
                       &statement_, nullptr);
  }
  SqlQuery(SqlQuery&& other) noexcept : statement_(std::exchange(other.statement_, nullptr)) {}
  SqlQuery& operator=(SqlQuery&&) = delete;
  ~SqlQuery() { sqlite3_finalize(statement_); }

  // What is bound must live until Step or Reset.
  void Bind(int at, std::string_view text) {
    sqlite3_bind_text64(statement_, at, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
  }
  void BindBytes(int at, std::string_view bytes) {
    sqlite3_bind_blob64(statement_, at, bytes.data(), bytes.size(), SQLITE_STATIC);
  }
  void Bind(int at, std::uint64_t number) {
    sqlite3_bind_int64(statement_, at, static_cast<sqlite3_int64>(number));
  }
  int Step() { return statement_ ? sqlite3_step(statement_) : SQLITE_ERROR; }
  void Reset() { sqlite3_reset(statement_); }
  // Of a statement without rows. True: done.
  bool Run() {
    const bool done = Step() == SQLITE_DONE;
    Reset();
    return done;
  }
  std::string_view Text(int column) const {
    const void* bytes = sqlite3_column_blob(statement_, column);
    return {static_cast<const char*>(bytes),
            static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
  }
  std::uint64_t Number(int column) const {
    return static_cast<std::uint64_t>(sqlite3_column_int64(statement_, column));
  }

 private:
  sqlite3_stmt* statement_ = nullptr;
};

// Held until the process ends, however it ends.
Result<int> TakeLock(const std::string& file) {
  const int lock = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock < 0) return CannotUse(file, std::strerror(errno));
  if (flock(lock, LOCK_EX | LOCK_NB) != 0) {
    char holder[32] = {};
    const bool known = read(lock, holder, sizeof(holder) - 1) > 0;
    close(lock);
    return CannotUse(
        file, fmt::format("another process{} uses this data directory; two must never share one",
                          known ? fmt::format(" ({})", holder) : std::string()));
  }
  const std::string self = std::to_string(getpid());
  // Only told to a process that finds it locked: that it is locked does not depend on it.
  if (ftruncate(lock, 0) == 0 && pwrite(lock, self.data(), self.size(), 0) < 0) errno = 0;
  return lock;
}

}  // namespace

struct DataFolder::Database {
  ~Database() {
    statements.clear();
    if (db) sqlite3_close(db);
    if (lock >= 0) close(lock);
  }

  bool Execute(const char* sql) {
    return sqlite3_exec(db, sql, nullptr, nullptr, nullptr) == SQLITE_OK;
  }
  // What a query that answers with one number says; -1: it failed.
  int Number(std::string_view sql) {
    SqlQuery query(db, sql);
    return query.Step() == SQLITE_ROW ? static_cast<int>(query.Number(0)) : -1;
  }
  std::unexpected<Error> Failed(std::string_view doing) const {
    const int code = sqlite3_errcode(db) & 0xff;
    const bool damaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
    return CannotUse(
        file, fmt::format("{}: {}{}", doing, sqlite3_errmsg(db),
                          damaged ? ". The file is damaged or no database of Basalt's: restore it "
                                    "from a copy, or name another --data-dir"
                                  : ""));
  }
  Result<void> Prepare();

  std::string file;
  int lock = -1;
  sqlite3* db = nullptr;
  enum Which { kPut, kRemove, kSet, kGet, kCount };
  std::vector<SqlQuery> statements;
};

Result<void> DataFolder::Database::Prepare() {
  // One process has it, so nothing need be shared; a commit is on the disk when it returns.
  const bool ready = Execute(
      "PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
      "PRAGMA wal_autocheckpoint=4000; PRAGMA cache_size=-32768");
  const int tables = ready ? Number("SELECT count(*) FROM sqlite_master") : -1;
  if (tables < 0) return Failed("opening it");
  const int format = Number("PRAGMA user_version");
  if (tables > 0 && Number("PRAGMA application_id") != kApplicationId) {
    return CannotUse(file, "a database of another program; name another --data-dir");
  }
  if (format > kFormat) {
    return CannotUse(file, fmt::format("written by a newer Basalt (format {}, this one reads {}); "
                                       "use that one, or name another --data-dir",
                                       format, kFormat));
  }
  // In one transaction: a death in the middle leaves an empty file.
  if (!Execute(fmt::format(
                   "BEGIN IMMEDIATE;"
                   "CREATE TABLE IF NOT EXISTS objects(resource TEXT NOT NULL, key TEXT NOT NULL,"
                   " version INTEGER NOT NULL, sum INTEGER NOT NULL, text BLOB NOT NULL,"
                   " PRIMARY KEY(resource, key));"
                   "CREATE TABLE IF NOT EXISTS settings(name TEXT PRIMARY KEY, value BLOB NOT NULL)"
                   " WITHOUT ROWID;"
                   "PRAGMA application_id={}; PRAGMA user_version={}; COMMIT;",
                   kApplicationId, kFormat)
                   .c_str())) {
    return Failed("making its tables");
  }
  for (const char* sql : {"INSERT INTO objects(resource, key, version, sum, text)"
                          " VALUES(?1, ?2, ?3, ?4, ?5) ON CONFLICT(resource, key)"
                          " DO UPDATE SET version = ?3, sum = ?4, text = ?5",
                          "DELETE FROM objects WHERE resource = ?1 AND key = ?2",
                          "INSERT INTO settings(name, value) VALUES(?1, ?2)"
                          " ON CONFLICT(name) DO UPDATE SET value = ?2",
                          "SELECT value FROM settings WHERE name = ?1"}) {
    statements.emplace_back(db, sql);
  }
  return {};
}

DataFolder::DataFolder(std::unique_ptr<Database> database) : database_(std::move(database)) {}
DataFolder::~DataFolder() = default;

Result<std::unique_ptr<DataFolder>> DataFolder::Open(const std::string& path) {
  std::error_code problem;
  if (!std::filesystem::exists(path, problem)) {
    std::filesystem::create_directories(path, problem);
    if (problem) return CannotUse(path, problem.message());
    std::filesystem::permissions(path, std::filesystem::perms::owner_all, problem);
  }
  if (!std::filesystem::is_directory(path, problem)) {
    return CannotUse(path, "not a directory; --data-dir names one, or one to be made");
  }
  auto database = std::make_unique<Database>();
  database->file = path + "/basalt.db";
  const Result<int> lock = TakeLock(path + "/lock");
  if (!lock) return std::unexpected(lock.error());
  database->lock = *lock;
  const int opened =
      sqlite3_open_v2(database->file.c_str(), &database->db,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
  if (opened != SQLITE_OK) return database->Failed("opening it");
  std::filesystem::permissions(
      database->file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write,
      problem);
  if (auto prepared = database->Prepare(); !prepared) return std::unexpected(prepared.error());
  return std::unique_ptr<DataFolder>(new DataFolder(std::move(database)));
}

Result<KeptState> DataFolder::Load() {
  const Result<std::string> version = Setting("version");
  if (!version) return std::unexpected(version.error());
  KeptState state;
  state.version = version->empty() ? 0 : std::strtoull(version->c_str(), nullptr, 10);
  SqlQuery all(database_->db, "SELECT resource, key, version, sum, text FROM objects");
  int step = SQLITE_ROW;
  while ((step = all.Step()) == SQLITE_ROW) {
    const std::string_view resource = all.Text(0);
    const std::string_view key = all.Text(1);
    const std::string_view text = all.Text(4);
    const std::size_t slash = resource.find('/');
    if (Checksum(resource, key, text) != all.Number(3) || slash == std::string_view::npos ||
        all.Number(2) > state.version) {
      return CannotUse(database_->file,
                       fmt::format("the object {} {} is damaged: restore the file from a copy, or "
                                   "name another --data-dir",
                                   resource, key));
    }
    state.objects.push_back({.group = std::string(resource.substr(0, slash)),
                             .plural = std::string(resource.substr(slash + 1)),
                             .key = std::string(key),
                             .version = all.Number(2),
                             .text = std::string(text)});
  }
  if (step != SQLITE_DONE) return database_->Failed("reading the objects");
  return state;
}

Result<void> DataFolder::Commit(const std::vector<Change>& changes, std::uint64_t version) {
  Database& database = *database_;
  const auto write = [&] {
    if (!database.Execute("BEGIN IMMEDIATE")) return false;
    for (const Change& change : changes) {
      SqlQuery& query = database.statements[change.object ? Database::kPut : Database::kRemove];
      query.Bind(1, change.resource);
      query.Bind(2, change.key);
      if (change.object) {
        query.Bind(3, change.object->version);
        query.Bind(4, Checksum(change.resource, change.key, change.object->text));
        query.BindBytes(5, change.object->text);
      }
      if (!query.Run()) return false;
    }
    return SetSetting("version", std::to_string(version)) && database.Execute("COMMIT");
  };
  if (write()) return {};
  auto failed = database.Failed("writing");
  database.Execute("ROLLBACK");
  return failed;
}

Result<std::string> DataFolder::Setting(std::string_view name) {
  SqlQuery& query = database_->statements[Database::kGet];
  query.Bind(1, name);
  const int step = query.Step();
  std::string value(step == SQLITE_ROW ? query.Text(0) : std::string_view());
  query.Reset();
  if (step != SQLITE_ROW && step != SQLITE_DONE) return database_->Failed("reading a setting");
  return value;
}

Result<void> DataFolder::SetSetting(std::string_view name, std::string_view value) {
  SqlQuery& query = database_->statements[Database::kSet];
  query.Bind(1, name);
  query.BindBytes(2, value);
  if (!query.Run()) return database_->Failed("writing a setting");
  return {};
}

}  // namespace basalt::apiserver
