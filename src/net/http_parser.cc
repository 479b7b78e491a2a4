#include "net/http_parser.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/field.hpp>
#include <optional>

namespace basalt::net {
namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;
using ErrorCodeOfBoost = boost::system::error_code;

// A peer may announce much and send little.
constexpr std::uint64_t kMostReserved = 1024 * 1024;

std::string_view ToStd(beast::string_view text) { return {text.data(), text.size()}; }

ParseState ToState(const ErrorCodeOfBoost& error) {
  if (error == http::error::need_more) return ParseState::kNeedMore;
  if (error == http::error::header_limit) return ParseState::kHeaderTooLarge;
  if (error == http::error::body_limit) return ParseState::kBodyTooLarge;
  return ParseState::kBad;
}

// Shared by both directions: feeds until the message is over or the input is.
template <class Parser>
ParseResult FeedParser(Parser& parser, std::string_view input, const ParseLimits& limits,
                       std::string& problem) {
  ErrorCodeOfBoost error;
  const std::size_t consumed =
      parser.put(boost::asio::const_buffer(input.data(), input.size()), error);
  if (error && error != http::error::need_more) {
    problem = error.message();
    return {ToState(error), consumed};
  }
  if (parser.is_done()) return {ParseState::kDone, consumed};
  if (!parser.eager() && parser.is_header_done()) return {ParseState::kHeader, consumed};
  // Beast itself has no limit for a chunk's header, which it needs in one piece.
  if (input.size() - consumed > limits.header_bytes) {
    problem = "header or chunk header too large";
    return {parser.is_header_done() ? ParseState::kBad : ParseState::kHeaderTooLarge, consumed};
  }
  return {ParseState::kNeedMore, consumed};
}

class RequestReader final : public http::basic_parser<true> {
 public:
  explicit RequestReader(const ParseLimits& limits) {
    header_limit(limits.header_bytes);
    body_limit(limits.body_bytes);
    eager(false);  // stops after the header
  }

  // Sees the header's text as it is consumed, which may be line by line.
  void Look(std::string_view raw) {
    for (const char c : raw) {
      if (last_ == '\n' && (c == ' ' || c == '\t')) folded_ = true;
      last_ = c;
    }
  }
  // Whether the header can be understood in one way only.
  ParseState Check(std::string& problem) const;

  HttpRequest request;
  bool http11 = false;
  bool expects_continue = false;

 private:
  void on_request_impl(http::verb, beast::string_view method, beast::string_view target,
                       int version, ErrorCodeOfBoost&) override {
    request.method = ToStd(method);
    request.target = ToStd(target);
    http11 = version == 11;
  }
  void on_response_impl(int, beast::string_view, int, ErrorCodeOfBoost&) override {}
  void on_field_impl(http::field field, beast::string_view name, beast::string_view value,
                     ErrorCodeOfBoost&) override {
    if (header_complete_) return;  // a trailer
    if (field == http::field::expect) expects_continue = beast::iequals(value, "100-continue");
    request.headers.push_back({std::string(ToStd(name)), std::string(ToStd(value))});
  }
  void on_header_impl(ErrorCodeOfBoost&) override { header_complete_ = true; }
  void on_body_init_impl(const boost::optional<std::uint64_t>& length, ErrorCodeOfBoost&) override {
    if (length) request.body.reserve(std::min(*length, kMostReserved));
  }
  std::size_t on_body_impl(beast::string_view piece, ErrorCodeOfBoost&) override {
    request.body += ToStd(piece);
    return piece.size();
  }
  void on_chunk_header_impl(std::uint64_t, beast::string_view, ErrorCodeOfBoost&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, beast::string_view piece,
                                 ErrorCodeOfBoost&) override {
    request.body += ToStd(piece);
    return piece.size();
  }
  void on_finish_impl(ErrorCodeOfBoost&) override {}

  bool header_complete_ = false;
  char last_ = 0;
  bool folded_ = false;
};

bool IsNumber(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

ParseState RequestReader::Check(std::string& problem) const {
  const auto bad = [&](std::string_view what) {
    problem = what;
    return ParseState::kBad;
  };
  if (folded_) return bad("a header is folded over lines");
  int hosts = 0;
  const std::string* length = nullptr;
  const std::string* encoding = nullptr;
  for (const Header& header : request.headers) {
    if (beast::iequals(header.name, "Host")) {
      ++hosts;
    } else if (beast::iequals(header.name, "Content-Length")) {
      if (length != nullptr || !IsNumber(header.value)) return bad("bad Content-Length");
      length = &header.value;
    } else if (beast::iequals(header.name, "Transfer-Encoding")) {
      if (encoding != nullptr) return bad("more than one Transfer-Encoding");
      encoding = &header.value;
    }
  }
  if (http11 ? hosts != 1 : hosts > 1) return bad("there must be one Host");
  if (encoding == nullptr) return ParseState::kDone;
  if (length != nullptr) return bad("both Content-Length and Transfer-Encoding");
  if (!http11) return bad("Transfer-Encoding in HTTP/1.0");
  if (beast::iequals(*encoding, "chunked")) return ParseState::kDone;
  problem = "the only transfer encoding is chunked";
  return ParseState::kUnsupported;
}

class ResponseReader final : public http::basic_parser<false> {
 public:
  ResponseReader(const ParseLimits& limits, bool to_head, ResponseSink* sink) : sink_(sink) {
    header_limit(limits.header_bytes);
    if (sink != nullptr) {  // not kept, so not limited
      body_limit(boost::none);
    } else {
      body_limit(limits.body_bytes);
    }
    eager(true);
    skip(to_head);
  }

  bool informational() const { return response.status / 100 == 1; }

  HttpResponse response;

 private:
  void on_request_impl(http::verb, beast::string_view, beast::string_view, int,
                       ErrorCodeOfBoost&) override {}
  void on_response_impl(int status, beast::string_view, int, ErrorCodeOfBoost&) override {
    response.status = status;
    response.content_type.clear();
  }
  void on_field_impl(http::field field, beast::string_view name, beast::string_view value,
                     ErrorCodeOfBoost&) override {
    if (header_complete_) return;
    if (field == http::field::content_type) {
      response.content_type = ToStd(value);
    } else {
      response.headers.push_back({std::string(ToStd(name)), std::string(ToStd(value))});
    }
  }
  void on_header_impl(ErrorCodeOfBoost&) override {
    header_complete_ = true;
    if (sink_ != nullptr && !informational()) {
      sink_->OnHead(response.status, std::move(response.headers));
    }
  }
  void on_body_init_impl(const boost::optional<std::uint64_t>& length, ErrorCodeOfBoost&) override {
    if (length && sink_ == nullptr) response.body.reserve(std::min(*length, kMostReserved));
  }
  std::size_t on_body_impl(beast::string_view piece, ErrorCodeOfBoost&) override {
    return Take(piece);
  }
  void on_chunk_header_impl(std::uint64_t, beast::string_view, ErrorCodeOfBoost&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, beast::string_view piece,
                                 ErrorCodeOfBoost&) override {
    return Take(piece);
  }
  void on_finish_impl(ErrorCodeOfBoost&) override {}

  std::size_t Take(beast::string_view piece) {
    if (sink_ != nullptr) {
      sink_->OnBody(ToStd(piece));
    } else {
      response.body += ToStd(piece);
    }
    return piece.size();
  }

  ResponseSink* sink_;
  bool header_complete_ = false;
};

}  // namespace

struct RequestParser::Impl {
  ParseLimits limits;
  std::optional<RequestReader> reader;
  std::string problem;
};

RequestParser::RequestParser(ParseLimits limits) : impl_(std::make_unique<Impl>()) {
  impl_->limits = limits;
  Reset();
}
RequestParser::~RequestParser() = default;

void RequestParser::Reset() { impl_->reader.emplace(impl_->limits); }
ParseResult RequestParser::Feed(std::string_view input) {
  RequestReader& reader = *impl_->reader;
  const ParseResult result = FeedParser(reader, input, impl_->limits, impl_->problem);
  if (reader.eager()) return result;
  reader.Look(input.substr(0, result.consumed));
  const bool header_complete =
      result.state == ParseState::kHeader || result.state == ParseState::kDone;
  if (!header_complete) return result;
  reader.eager(true);  // from here on as much as there is
  const ParseState checked = reader.Check(impl_->problem);
  return {checked == ParseState::kDone ? result.state : checked, result.consumed};
}
const std::string& RequestParser::problem() const { return impl_->problem; }
bool RequestParser::started() const { return impl_->reader->got_some(); }
bool RequestParser::header_done() const { return impl_->reader->is_header_done(); }
bool RequestParser::expects_continue() const { return impl_->reader->expects_continue; }
bool RequestParser::keep_alive() const { return impl_->reader->keep_alive(); }
bool RequestParser::http11() const { return impl_->reader->http11; }
bool RequestParser::is_head() const { return impl_->reader->request.method == "HEAD"; }
const HttpRequest& RequestParser::request() const { return impl_->reader->request; }
HttpRequest RequestParser::TakeRequest() { return std::move(impl_->reader->request); }

struct ResponseParser::Impl {
  ParseLimits limits;
  std::optional<ResponseReader> reader;
  std::string problem;
  bool to_head = false;
  ResponseSink* sink = nullptr;
};

ResponseParser::ResponseParser(ParseLimits limits) : impl_(std::make_unique<Impl>()) {
  impl_->limits = limits;
  Reset(false, nullptr);
}
ResponseParser::~ResponseParser() = default;

void ResponseParser::Reset(bool to_head, ResponseSink* sink) {
  impl_->to_head = to_head;
  impl_->sink = sink;
  impl_->reader.emplace(impl_->limits, to_head, sink);
}

ParseResult ResponseParser::Feed(std::string_view input) {
  std::size_t consumed = 0;
  while (true) {
    ParseResult result =
        FeedParser(*impl_->reader, input.substr(consumed), impl_->limits, impl_->problem);
    consumed += result.consumed;
    if (result.state != ParseState::kDone || !impl_->reader->informational()) {
      return {result.state, consumed};
    }
    Reset(impl_->to_head, impl_->sink);
    if (consumed == input.size()) return {ParseState::kNeedMore, consumed};
  }
}

bool ResponseParser::FeedEnd() {
  if (!impl_->reader->got_some()) return false;
  ErrorCodeOfBoost error;
  impl_->reader->put_eof(error);
  return !error;
}

const std::string& ResponseParser::problem() const { return impl_->problem; }
bool ResponseParser::started() const { return impl_->reader->got_some(); }
bool ResponseParser::keep_alive() const { return impl_->reader->keep_alive(); }
HttpResponse ResponseParser::TakeResponse() { return std::move(impl_->reader->response); }

}  // namespace basalt::net
