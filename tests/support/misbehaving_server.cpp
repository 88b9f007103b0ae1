#include "support/misbehaving_server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace kgen::test {
namespace {

constexpr int kPollMs = 10;
constexpr int kRequestMs = 5000;

int open_listener(int& port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* raw = reinterpret_cast<sockaddr*>(&address);
  if (fd < 0 || ::bind(fd, raw, size) != 0 || ::listen(fd, 16) != 0 || ::getsockname(fd, raw, &size) != 0) {
    throw std::runtime_error("cannot listen on 127.0.0.1");
  }
  port = ntohs(address.sin_port);
  return fd;
}

bool readable(int fd, int ms) {
  pollfd poll = {fd, POLLIN, 0};
  return ::poll(&poll, 1, ms) > 0;
}

std::size_t content_length(const std::string& head) {
  const std::size_t at = head.find("Content-Length: ");
  return at == std::string::npos ? 0 : std::strtoul(head.c_str() + at + 16, nullptr, 10);
}

}  // namespace

std::string Connection::read_request() {
  std::string text;
  std::size_t wanted = std::string::npos;
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(kRequestMs);
  while (text.size() < wanted && !stopping_ && std::chrono::steady_clock::now() < end) {
    if (!readable(fd_, kPollMs)) continue;
    char bytes[4096];
    const ssize_t count = ::recv(fd_, bytes, sizeof(bytes), 0);
    if (count <= 0) break;
    text.append(bytes, static_cast<std::size_t>(count));
    const std::size_t head_end = text.find("\r\n\r\n");
    if (head_end != std::string::npos) wanted = head_end + 4 + content_length(text.substr(0, head_end));
  }
  request_ = text;
  return text;
}

bool Connection::send(std::string_view bytes) {
  while (!bytes.empty() && !stopping_) {
    pollfd poll = {fd_, POLLOUT, 0};
    if (::poll(&poll, 1, kPollMs) == 0) continue;
    const ssize_t count = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return !stopping_;
}

bool Connection::send_head(int status, std::string_view headers) {
  return send("HTTP/1.1 " + std::to_string(status) + " Said\r\n" + std::string(headers) +
              "Connection: close\r\n\r\n");
}

void Connection::hold(int ms) {
  using std::chrono::milliseconds;
  const auto end = std::chrono::steady_clock::now() + milliseconds(ms);
  while (!stopping_) {
    const auto left = std::chrono::ceil<milliseconds>(end - std::chrono::steady_clock::now()).count();
    if (left <= 0) return;
    char byte = 0;
    if (readable(fd_, std::min(static_cast<int>(left), kPollMs)) && ::recv(fd_, &byte, 1, MSG_PEEK) <= 0)
      return;
  }
}

void Connection::reset() {
  const linger abrupt = {1, 0};
  ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &abrupt, sizeof(abrupt));
}

MisbehavingServer::MisbehavingServer(std::vector<Scene> scenes) : scenes_(std::move(scenes)) {
  if (scenes_.empty()) throw std::invalid_argument("a server needs a scene");
  listener_ = open_listener(port_);
  thread_ = std::thread([this] { serve(); });
}

MisbehavingServer::~MisbehavingServer() {
  stopping_ = true;
  thread_.join();
  ::close(listener_);
}

std::string MisbehavingServer::url() const {
  return "http://127.0.0.1:" + std::to_string(port_);
}

std::vector<std::string> MisbehavingServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

void MisbehavingServer::serve() {
  for (std::size_t count = 0; !stopping_;) {
    if (!readable(listener_, kPollMs)) continue;
    const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) continue;
    play(fd, scenes_[std::min(count++, scenes_.size() - 1)]);
  }
}

void MisbehavingServer::play(int fd, const Scene& scene) {
  Connection connection(fd, stopping_);
  std::string request = connection.read_request();
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back(std::move(request));
  }
  scene(connection);
  ::close(fd);
}

MisbehavingServer::Scene answer(int status, std::string headers, std::string body) {
  return [status, headers = std::move(headers), body = std::move(body)](Connection& connection) {
    connection.send_head(status, headers);
    connection.send(body);
  };
}

int closed_port() {
  int port = 0;
  ::close(open_listener(port));
  return port;
}

}  // namespace kgen::test
