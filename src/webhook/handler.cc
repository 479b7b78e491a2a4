#include "webhook/handler.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "webhook/review_answer.h"

namespace basalt::webhook {
namespace {

// More wait only in a flood; those are answered at once.
constexpr std::size_t kMostWaiting = 1000;

net::HttpResponse PlainText(int status, std::string message) {
  message += '\n';
  return {
      .status = status, .content_type = "text/plain; charset=utf-8", .body = std::move(message)};
}

bool IsJson(const net::HttpRequest& request) {
  const std::string* type = net::FindHeader(request.headers, "Content-Type");
  return type != nullptr && type->starts_with("application/json");
}

double Seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

}  // namespace

struct Handler::Waiting {
  const Route* route;
  kube::AdmissionRequest request;
  std::shared_ptr<net::HttpExchange> exchange;
  Duration started;
};

Handler::Handler(Loop& loop, const Snapshot& snapshot, HandlerOptions options,
                 metrics::Registry* metrics)
    : loop_(loop),
      snapshot_(snapshot),
      options_(std::move(options)),
      metrics_(metrics),
      end_of_patience_(loop) {
  if (options_.routes.empty()) {
    for (const Route& route : AllRoutes()) options_.routes.push_back(&route);
  }
}

Handler::~Handler() = default;

const Route* Handler::Serves(std::string_view target) const {
  const std::string_view path = target.substr(0, target.find('?'));
  for (const Route* route : options_.routes) {
    if (route->path == path) return route;
  }
  return nullptr;
}

std::optional<net::HttpResponse> Handler::Judge(const net::HttpRequest& head) {
  const Route* route = Serves(head.target);
  if (route == nullptr) return PlainText(404, "there is nothing here");
  if (head.method != "POST") {
    net::HttpResponse response = PlainText(405, "an AdmissionReview is sent with POST");
    response.headers.push_back({"Allow", "POST"});
    return response;
  }
  if (!IsJson(head)) {
    Count(*route, "bad_request", loop_.Monotonic());
    return PlainText(415, "Content-Type must be application/json");
  }
  return std::nullopt;
}

void Handler::Handle(net::HttpRequest http, std::shared_ptr<net::HttpExchange> exchange) {
  const Duration started = loop_.Monotonic();
  if (auto refusal = Judge(http)) return exchange->Respond(std::move(*refusal));
  const Route* route = Serves(http.target);
  Result<kube::AdmissionRequest> request = kube::DecodeAdmissionReview(http.body);
  if (!request) {
    Count(*route, "bad_request", started);
    return exchange->Respond(PlainText(400, "not an AdmissionReview: " + request.error().message));
  }
  if (TryAnswer(*route, *request, *exchange, started, waiting_.size() >= kMostWaiting)) return;
  waiting_.push_back({route, std::move(*request), std::move(exchange), started});
  if (!end_of_patience_.running()) WaitForTheFirst();
}

bool Handler::TryAnswer(const Route& route, const kube::AdmissionRequest& request,
                        net::HttpExchange& exchange, Duration started, bool last) {
  const kube::Resource& resource = route.resource;
  Result<Review> review = Review();
  if (request.group != resource.group || request.resource != resource.plural) {
    review = Fail(ErrorCode::kInvalidArgument,
                  fmt::format("request.resource: {} judges {}, not {}", route.path, resource.plural,
                              request.resource));
  } else if (!request.subresource.empty() ||
             std::ranges::find(route.operations, request.operation) == route.operations.end()) {
    // A configuration may send more than is judged here: the rest is let in.
  } else {
    review = route.judge(request, snapshot_, options_.policy, loop_.Now());
  }
  if (!review) {
    Review refusal;
    refusal.code = 400;
    refusal.Refuse(review.error().message);
    review = std::move(refusal);
  }
  if (review->doubtful && !last) return false;
  if (review->doubtful && !synced_ && !review->allowed()) {
    Count(route, "not_ready", started);
    exchange.Respond(PlainText(503, "the cluster's queues are not known yet; try again"));
    return true;
  }
  if (!review->allowed() && log::Enabled(log::Level::kDebug)) {
    log::Debug("refused", {{"path", route.path},
                           {"object", request.ns + "/" + request.name},
                           {"why", review->problems.front()}});
  }
  Count(route, !review->allowed() ? "refused" : (review->patch.empty() ? "allowed" : "patched"),
        started);
  exchange.Respond({.body = WriteAnswer(request.uid, *review)});
  return true;
}

void Handler::SetSynced() {
  synced_ = true;
  OnSnapshotChanged();
}

void Handler::OnSnapshotChanged() {
  if (waiting_.empty() || looking_again_) return;
  looking_again_ = true;
  loop_.Post(scope_.Guard([this] { LookAgain(); }));
}

void Handler::LookAgain() {
  looking_again_ = false;
  waiting_.remove_if([this](Waiting& waiting) {
    return TryAnswer(*waiting.route, waiting.request, *waiting.exchange, waiting.started, false);
  });
}

// They wait equally long: the first to come is the first whose patience ends.
void Handler::WaitForTheFirst() {
  if (waiting_.empty()) return;
  const Duration end = waiting_.front().started + options_.patience;
  end_of_patience_.Start(std::max(Duration::zero(), end - loop_.Monotonic()), [this] {
    while (!waiting_.empty() && waiting_.front().started + options_.patience <= loop_.Monotonic()) {
      const Waiting first = std::move(waiting_.front());
      waiting_.pop_front();
      TryAnswer(*first.route, first.request, *first.exchange, first.started, true);
    }
    WaitForTheFirst();
  });
}

void Handler::Count(const Route& route, std::string_view result, Duration started) {
  if (metrics_ == nullptr) return;
  static const std::vector<double> kBuckets = metrics::ExponentialBuckets(0.0001, 2, 14);
  metrics_
      ->GetCounter("basalt_admission_requests_total", "Admission requests by what became of them.",
                   {{"path", std::string(route.path)}, {"result", std::string(result)}})
      .Add();
  metrics_
      ->GetHistogram("basalt_admission_seconds", "Time from a whole request to its answer.",
                     {{"path", std::string(route.path)}}, kBuckets)
      .Observe(Seconds(loop_.Monotonic() - started));
}

}  // namespace basalt::webhook
