#include "net/stream.h"

#include <fmt/core.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <sys/socket.h>

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <cstring>

namespace basalt::net {
namespace {

using boost::asio::ip::tcp;

// What a BIO of ours knows: its socket, and how the last call on it ended.
struct SocketState {
  int fd = -1;
  int error = 0;
  bool ended = false;
};

SocketState* StateOf(BIO* bio) { return static_cast<SocketState*>(BIO_get_data(bio)); }

int BioRead(BIO* bio, char* data, int size) {
  SocketState* state = StateOf(bio);
  BIO_clear_retry_flags(bio);
  const ssize_t got = recv(state->fd, data, static_cast<std::size_t>(size), 0);
  if (got > 0) return static_cast<int>(got);
  if (got == 0) {
    state->ended = true;
    return 0;
  }
  if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) {
    BIO_set_retry_read(bio);
  } else {
    state->error = errno;
  }
  return -1;
}

// Unlike OpenSSL's own, without SIGPIPE.
int BioWrite(BIO* bio, const char* data, int size) {
  SocketState* state = StateOf(bio);
  BIO_clear_retry_flags(bio);
  const ssize_t put = send(state->fd, data, static_cast<std::size_t>(size), MSG_NOSIGNAL);
  if (put >= 0) return static_cast<int>(put);
  if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) {
    BIO_set_retry_write(bio);
  } else {
    state->error = errno;
  }
  return -1;
}

long BioControl(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

int BioDestroy(BIO* bio) {
  delete StateOf(bio);
  return 1;
}

BIO* NewSocketBio(int fd) {
  static BIO_METHOD* const method = [] {
    BIO_METHOD* made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "socket");
    BIO_meth_set_read(made, BioRead);
    BIO_meth_set_write(made, BioWrite);
    BIO_meth_set_ctrl(made, BioControl);
    BIO_meth_set_destroy(made, BioDestroy);
    return made;
  }();
  BIO* bio = BIO_new(method);
  BIO_set_data(bio, new SocketState{.fd = fd});
  BIO_set_init(bio, 1);
  return bio;
}

// Small requests must not wait for acknowledgements, and a peer that vanished must be noticed.
void SetSocketOptions(int fd) {
  const auto set = [fd](int level, int option, int value) {
    setsockopt(fd, level, option, &value, sizeof(value));
  };
  set(IPPROTO_TCP, TCP_NODELAY, 1);
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, 30);
  set(IPPROTO_TCP, TCP_KEEPINTVL, 10);
  set(IPPROTO_TCP, TCP_KEEPCNT, 3);
}

// Alerts by which the peer says that it does not like our certificate, or the lack of one.
bool IsCertificateAlert(int reason) {
  switch (reason) {
    case SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED:
    case SSL_R_SSLV3_ALERT_BAD_CERTIFICATE:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_REVOKED:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN:
    case SSL_R_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE:
    case SSL_R_TLSV1_ALERT_UNKNOWN_CA: return true;
    default: return false;
  }
}

}  // namespace

struct Stream::Shared {
  Socket socket;
  StreamOwner* owner;  // null: the Stream is gone
  bool waits_to_read = false;
  bool waits_to_write = false;
};

Stream::Stream(Socket socket, SslPtr ssl, StreamOwner& owner)
    : shared_(std::make_shared<Shared>(std::move(socket), &owner)), ssl_(std::move(ssl)) {
  boost::system::error_code ignored;
  shared_->socket.native_non_blocking(true, ignored);
  const int fd = shared_->socket.native_handle();
  SetSocketOptions(fd);
  if (ssl_ != nullptr) {
    BIO* bio = NewSocketBio(fd);
    SSL_set_bio(ssl_.get(), bio, bio);
  }
}

Stream::~Stream() { Close(); }

void Stream::Close() {
  if (shared_->owner == nullptr) return;
  shared_->owner = nullptr;
  if (ssl_ != nullptr && SSL_is_init_finished(ssl_.get())) {
    ERR_clear_error();
    SSL_shutdown(ssl_.get());  // says good-bye if the socket takes it; nobody waits for the answer
  }
  ssl_.reset();
  boost::system::error_code ignored;
  shared_->socket.close(ignored);
}

void Stream::FailWithErrno(int number) {
  error_ = boost::system::error_code(number, boost::system::system_category()).message();
}

IoStatus Stream::TlsStatus(int result) {
  const int why = SSL_get_error(ssl_.get(), result);
  switch (why) {
    case SSL_ERROR_WANT_READ: return IoStatus::kWouldBlock;
    case SSL_ERROR_WANT_WRITE: read_wants_write_ = true; return IoStatus::kWouldBlock;
    case SSL_ERROR_ZERO_RETURN: ended_cleanly_ = true; return IoStatus::kClosed;
    default: break;
  }
  const SocketState* state = StateOf(SSL_get_rbio(ssl_.get()));
  if (state->error != 0) {
    FailWithErrno(state->error);
    return IoStatus::kFailed;
  }
  const long verified = SSL_get_verify_result(ssl_.get());
  if (!SSL_is_init_finished(ssl_.get()) && verified != X509_V_OK) {
    certificate_refused_ = true;
    error_ = fmt::format("the server's certificate is not trusted: {}",
                         X509_verify_cert_error_string(verified));
    ERR_clear_error();
    return IoStatus::kFailed;
  }
  const unsigned long code = ERR_peek_error();
  if (state->ended && code == 0) {
    error_ = "connection closed";
    return IoStatus::kClosed;
  }
  if (IsCertificateAlert(ERR_GET_REASON(code))) {
    certificate_refused_ = true;
    error_ = fmt::format("the peer refused the certificate: {}", TakeOpensslError());
  } else {
    error_ = fmt::format("TLS: {}", TakeOpensslError());
  }
  return IoStatus::kFailed;
}

IoStatus Stream::Handshake() {
  if (ssl_ == nullptr) return IoStatus::kOk;
  ERR_clear_error();
  read_wants_write_ = false;
  const int result = SSL_do_handshake(ssl_.get());
  if (result == 1) return IoStatus::kOk;
  const IoStatus status = TlsStatus(result);
  if (status == IoStatus::kClosed) {
    error_ = "the connection was closed during the TLS handshake";
    return IoStatus::kFailed;
  }
  return status;
}

IoResult Stream::Read(char* data, std::size_t size) {
  if (ssl_ != nullptr) {
    ERR_clear_error();
    read_wants_write_ = false;
    std::size_t got = 0;
    const int result = SSL_read_ex(ssl_.get(), data, size, &got);
    read_blocked_ = result != 1;
    if (result == 1) return {IoStatus::kOk, got};
    return {TlsStatus(result)};
  }
  const ssize_t got = recv(shared_->socket.native_handle(), data, size, 0);
  if (got > 0) return {IoStatus::kOk, static_cast<std::size_t>(got)};
  if (got == 0) {
    error_ = "connection closed";
    ended_cleanly_ = true;
    return {IoStatus::kClosed};
  }
  if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) return {IoStatus::kWouldBlock};
  FailWithErrno(errno);
  return {IoStatus::kFailed};
}

IoResult Stream::Write(std::string_view data) {
  if (ssl_ != nullptr) {
    ERR_clear_error();
    std::size_t put = 0;
    const bool wanted_write = read_wants_write_;
    const int result = SSL_write_ex(ssl_.get(), data.data(), data.size(), &put);
    if (result == 1) return {IoStatus::kOk, put};
    const IoStatus status = TlsStatus(result);
    read_wants_write_ = wanted_write;  // the owner waits to write by itself
    return {status == IoStatus::kClosed ? IoStatus::kFailed : status};
  }
  const ssize_t put = send(shared_->socket.native_handle(), data.data(), data.size(), MSG_NOSIGNAL);
  if (put >= 0) return {IoStatus::kOk, static_cast<std::size_t>(put)};
  if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) return {IoStatus::kWouldBlock};
  FailWithErrno(errno);
  return {IoStatus::kFailed};
}

// What OpenSSL holds may be the beginning of a record: a read that found nothing tells.
bool Stream::HasBuffered() const {
  return ssl_ != nullptr && !read_blocked_ && SSL_has_pending(ssl_.get()) == 1;
}

void Stream::WaitReadable() {
  if (shared_->waits_to_read) return;
  shared_->waits_to_read = true;
  // After an error of the wait the read says what it is.
  auto ready = [shared = shared_](boost::system::error_code = {}) {
    shared->waits_to_read = false;
    if (shared->owner != nullptr) shared->owner->OnReadable();
  };
  if (HasBuffered()) return boost::asio::post(shared_->socket.get_executor(), std::move(ready));
  const auto kind = read_wants_write_ ? tcp::socket::wait_write : tcp::socket::wait_read;
  shared_->socket.async_wait(kind, std::move(ready));
}

void Stream::WaitWritable() {
  if (shared_->waits_to_write) return;
  shared_->waits_to_write = true;
  shared_->socket.async_wait(tcp::socket::wait_write,
                             [shared = shared_](boost::system::error_code) {
                               shared->waits_to_write = false;
                               if (shared->owner != nullptr) shared->owner->OnWritable();
                             });
}

void Stream::ShutdownWrite() {
  if (ssl_ != nullptr) {
    ERR_clear_error();
    SSL_shutdown(ssl_.get());
  }
  boost::system::error_code ignored;
  shared_->socket.shutdown(tcp::socket::shutdown_send, ignored);
}

}  // namespace basalt::net
