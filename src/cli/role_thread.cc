#include "cli/role_thread.h"

#include <atomic>
#include <optional>
#include <thread>

namespace basalt::cli {
namespace {

constexpr Duration kLook = 2ms;

}  // namespace

// Destroyed after the thread has ended, in reverse order.
struct RoleThread::Impl {
  explicit Impl(Loop& caller) : home(caller), look(loop) {}

  void WatchReadiness() {
    if (role->ready()) {
      ready = true;
    } else {
      look.Start(kLook, [this] { WatchReadiness(); });
    }
  }

  Loop& home;
  AsioLoop loop;
  Connection connection;
  std::unique_ptr<Role> role;
  Timer look;
  std::atomic<bool> ready = false;
  std::thread thread;
  Scope at_home;  // used on the home loop only
};

RoleThread::RoleThread(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Result<std::unique_ptr<RoleThread>> RoleThread::Make(Loop& home, const kube::ClusterConfig& config,
                                                     int connections, metrics::Registry& metrics,
                                                     const BuildRole& build) {
  auto impl = std::make_unique<Impl>(home);
  auto connection = Connect(impl->loop, config, 0, 0, connections, &metrics);
  if (!connection) return std::unexpected(connection.error());
  impl->connection = std::move(*connection);
  RoleContext context{impl->loop, *impl->connection.client, metrics};
  auto role = build(context);
  if (!role) return std::unexpected(role.error());
  impl->role = std::move(*role);
  return std::unique_ptr<RoleThread>(new RoleThread(std::move(impl)));
}

RoleThread::~RoleThread() {
  impl_->at_home.Reset();
  if (!impl_->thread.joinable()) return;
  impl_->loop.Stop();
  impl_->thread.join();
}

void RoleThread::Start() {
  impl_->thread = std::thread([impl = impl_.get()] {
    impl->loop.Post([impl] {
      impl->role->Start();
      impl->WatchReadiness();
    });
    impl->loop.Run();
  });
}

bool RoleThread::ready() const { return impl_->ready; }

void RoleThread::Stop(Callback done) {
  if (!impl_->thread.joinable()) return done();
  impl_->loop.Post(
      [impl = impl_.get(), done = Callback(impl_->at_home.Guard(std::move(done)))]() mutable {
        impl->role->Stop(
            [impl, done = std::move(done)]() mutable { impl->home.Post(std::move(done)); });
      });
}

void RoleThread::CollectMetrics(Callback done) {
  if (!impl_->thread.joinable()) return done();
  impl_->loop.Post(
      [impl = impl_.get(), done = Callback(impl_->at_home.Guard(std::move(done)))]() mutable {
        impl->role->CollectMetrics();
        impl->home.Post(std::move(done));
      });
}

}  // namespace basalt::cli
