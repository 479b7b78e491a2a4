#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "net/openssl_ptr.h"

// Only for net/'s .cc files.
namespace basalt::net {

// Told when waiting is over, on the loop. It owns the Stream and may destroy it in either call.
class StreamOwner {
 public:
  virtual void OnReadable() = 0;
  virtual void OnWritable() = 0;

 protected:
  ~StreamOwner() = default;
};

enum class IoStatus {
  kOk,
  kWouldBlock,
  kClosed,  // the peer has ended its side
  kFailed,  // Stream::error says why
};
struct IoResult {
  IoStatus status;
  std::size_t bytes = 0;
};

// A connected socket, plain or under TLS, that never blocks: the owner reads and writes until told
// that it would block, then waits. TLS goes straight to the socket, not through Asio's stream,
// which costs buffers and hand-overs for each message. Owned by its StreamOwner; loop thread only.
class Stream {
 public:
  using Socket = boost::asio::ip::tcp::socket;

  // `ssl` null: plain.
  Stream(Socket socket, SslPtr ssl, StreamOwner& owner);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  // Until kOk, before anything else; on kWouldBlock WaitReadable. Plain: kOk at once.
  IoStatus Handshake();
  IoResult Read(char* data, std::size_t size);
  IoResult Write(std::string_view data);
  // After the handshake: it went on from an earlier session.
  bool resumed() const { return ssl_ != nullptr && SSL_session_reused(ssl_.get()) == 1; }
  // More may be read without waiting.
  bool HasBuffered() const;
  // Calls OnReadable (OnWritable) once, not from within. Asking twice is asking once.
  void WaitReadable();
  void WaitWritable();
  // Tells the peer that nothing more comes.
  void ShutdownWrite();
  // Afterwards the owner is not called and nothing may be called but this.
  void Close();

  // Why the last call failed.
  const std::string& error() const { return error_; }
  // The certificate was refused, by us or by the peer: trying again will not help.
  bool certificate_refused() const { return certificate_refused_; }
  // TLS: the peer said that it ends, so that nothing was cut off. Plain: any end.
  bool ended_cleanly() const { return ended_cleanly_; }

 private:
  struct Shared;

  IoStatus TlsStatus(int result);
  void FailWithErrno(int number);

  std::shared_ptr<Shared> shared_;  // also held by the waits that are under way
  SslPtr ssl_;
  std::string error_;
  bool certificate_refused_ = false;
  bool ended_cleanly_ = false;
  bool read_blocked_ = false;      // the last read found nothing whole
  bool read_wants_write_ = false;  // TLS has to write before it can read on
};

}  // namespace basalt::net
