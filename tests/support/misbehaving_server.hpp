#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace kgen::test {

/// One accepted connection, as a scene sees it.
class Connection {
 public:
  Connection(int fd, const std::atomic<bool>& stopping) : fd_(fd), stopping_(stopping) {}

  /// Reads one request: head, then as much body as Content-Length says.
  std::string read_request();
  /// What was read last; the server reads one request before it plays the scene.
  const std::string& request() const { return request_; }
  /// Sends raw bytes; false once the client is gone.
  bool send(std::string_view bytes);
  /// A status line, the headers given ("Name: value\r\n" each), Connection: close, and an empty line.
  bool send_head(int status, std::string_view headers);
  /// Waits, at most `ms`; returns early when the client is gone or the server stops.
  void hold(int ms);
  /// Closes with a TCP reset instead of an orderly end.
  void reset();

 private:
  int fd_;
  const std::atomic<bool>& stopping_;
  std::string request_;
};

/// An HTTP server on a free loopback port that does what each scene says: the first connection plays the
/// first scene, and so on; the last one repeats. It ends with this object.
class MisbehavingServer {
 public:
  using Scene = std::function<void(Connection&)>;

  explicit MisbehavingServer(std::vector<Scene> scenes);
  ~MisbehavingServer();
  MisbehavingServer(const MisbehavingServer&) = delete;
  MisbehavingServer& operator=(const MisbehavingServer&) = delete;

  /// "http://127.0.0.1:PORT"
  std::string url() const;
  /// What was received so far, one text a connection.
  std::vector<std::string> requests() const;

 private:
  void serve();
  void play(int fd, const Scene& scene);

  std::vector<Scene> scenes_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<bool> stopping_{false};
  mutable std::mutex mutex_;
  std::vector<std::string> requests_;
  std::thread thread_;
};

/// A scene that reads the request and answers with `status`, `headers` ("Name: value\r\n" each) and `body`,
/// then closes.
MisbehavingServer::Scene answer(int status, std::string headers, std::string body);

/// A loopback port on which nothing listens.
int closed_port();

}  // namespace kgen::test
