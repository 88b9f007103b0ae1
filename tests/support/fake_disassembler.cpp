/// What tests run in nvdisasm's place. The first word of the "cubin" says what it does; it gets nvdisasm's
/// arguments: --print-code FILE.
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace {

/// What this process may do that it has no need for, in words.
std::string rights() {
  std::string text;
  if (open("/etc/passwd", O_RDONLY) >= 0) text += " reads-passwd";
  if (open("/tmp/kgen-fake-disassembler", O_WRONLY | O_CREAT, 0600) >= 0) text += " writes-tmp";
  if (socket(AF_INET, SOCK_STREAM, 0) >= 0) text += " opens-sockets";
  if (fork() >= 0) text += " forks";
  execl("/bin/true", "true", static_cast<char*>(nullptr));
  return text.empty() ? "none" : text;
}

}  // namespace

int main(int argc, char** argv) {
  std::string word;
  if (argc == 3 && std::string(argv[1]) == "--print-code") std::ifstream(argv[2]) >> word;
  if (word == "listing") {
    std::puts(
        ".section .text.k,\"ax\",@progbits\n/*0000*/ LDG.E.128 R4, desc[UR4][R2.64] ;\n/*0010*/ EXIT ;");
  } else if (word == "rights") {
    std::fprintf(stderr, "rights: %s\n", rights().c_str());
    return 3;
  } else if (word == "endless") {
    for (;;) std::puts("/*0000*/ EXIT ;");
  } else if (word == "asleep") {
    for (;;) pause();
  } else if (word == "greedy") {
    std::vector<char*> kept;
    for (;;) {
      kept.push_back(static_cast<char*>(std::malloc(std::size_t{64} << 20)));
      if (kept.back() == nullptr) {
        std::fprintf(stderr, "out of memory\n");
        return 4;
      }
    }
  } else {
    std::fprintf(stderr, "unknown word '%s'\n", word.c_str());
    return 2;
  }
  return 0;
}
