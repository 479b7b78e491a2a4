#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "net/http.h"

// Beast's parser behind a small face. Only for net/'s .cc files. A parser is owned by its
// connection; loop thread only.
namespace basalt::net {

struct ParseLimits {
  std::uint32_t header_bytes = 64 * 1024;
  std::uint64_t body_bytes = 0;
};

enum class ParseState {
  kNeedMore,
  kHeader,  // of a request: its header is complete and a body follows; feed again for that
  kDone,
  kBad,
  kUnsupported,  // a request in a transfer encoding that we do not speak
  kHeaderTooLarge,
  kBodyTooLarge,
};

struct ParseResult {
  ParseState state;
  std::size_t consumed;  // of the input; the rest is to be given again, with more behind it
};

// One request after the other from one connection: Feed until kDone, take it, Reset. Strict where
// another party on the way might understand a request otherwise: where a body ends is said in one
// way only, lines are not folded, and there is one Host.
class RequestParser {
 public:
  explicit RequestParser(ParseLimits limits);
  ~RequestParser();

  void Reset();
  ParseResult Feed(std::string_view input);
  // What is wrong with it, after a state that says so.
  const std::string& problem() const;

  bool started() const;  // has a byte
  bool header_done() const;
  bool expects_continue() const;
  bool keep_alive() const;  // these: once the header is done
  bool http11() const;
  bool is_head() const;
  const HttpRequest& request() const;  // what there is of it
  HttpRequest TakeRequest();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Gets the parts of a response as they come.
class ResponseSink {
 public:
  virtual void OnHead(int status, Headers headers) = 0;
  virtual void OnBody(std::string_view piece) = 0;

 protected:
  ~ResponseSink() = default;
};

// The same for responses. 1xx responses are passed over.
class ResponseParser {
 public:
  explicit ResponseParser(ParseLimits limits);
  ~ResponseParser();

  // Before each response. `to_head`: the request was HEAD. `sink` null: collect it for
  // TakeResponse.
  void Reset(bool to_head, ResponseSink* sink);
  ParseResult Feed(std::string_view input);
  // The connection ended. True: that completes the response.
  bool FeedEnd();
  const std::string& problem() const;

  bool started() const;
  bool keep_alive() const;
  HttpResponse TakeResponse();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace basalt::net
