#include "harness/compile/file_gate.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <string_view>

// Functions of the C library that take a path. The names are kgen's own, so that nothing the headers say of
// the real ones gets in the way; the labels are the symbols that other libraries bind to (exported by
// file_gate.symbols). `open` has its mode as a plain argument, which x86-64 and AArch64 pass as a variable
// one.
#define KGEN_AS(symbol) __asm__(#symbol) __attribute__((visibility("default"), used))
extern "C" {
int kgen_gated_open(const char* path, int flags, unsigned mode) KGEN_AS(open);
int kgen_gated_open64(const char* path, int flags, unsigned mode) KGEN_AS(open64);
int kgen_gated_openat(int folder, const char* path, int flags, unsigned mode) KGEN_AS(openat);
int kgen_gated_openat64(int folder, const char* path, int flags, unsigned mode) KGEN_AS(openat64);
void* kgen_gated_fopen(const char* path, const char* mode) KGEN_AS(fopen);
void* kgen_gated_fopen64(const char* path, const char* mode) KGEN_AS(fopen64);
void* kgen_gated_opendir(const char* path) KGEN_AS(opendir);
int kgen_gated_access(const char* path, int mode) KGEN_AS(access);
int kgen_gated_stat(const char* path, void* facts) KGEN_AS(stat);
int kgen_gated_stat64(const char* path, void* facts) KGEN_AS(stat64);
int kgen_gated_lstat(const char* path, void* facts) KGEN_AS(lstat);
int kgen_gated_lstat64(const char* path, void* facts) KGEN_AS(lstat64);
int kgen_gated_xstat(int version, const char* path, void* facts) KGEN_AS(__xstat);
int kgen_gated_xstat64(int version, const char* path, void* facts) KGEN_AS(__xstat64);
int kgen_gated_lxstat(int version, const char* path, void* facts) KGEN_AS(__lxstat);
int kgen_gated_lxstat64(int version, const char* path, void* facts) KGEN_AS(__lxstat64);
long kgen_gated_readlink(const char* path, char* buffer, std::size_t bytes) KGEN_AS(readlink);
char* kgen_gated_realpath(const char* path, char* buffer) KGEN_AS(realpath);
}

namespace kgen::compile {
namespace {

struct Gate {
  std::vector<std::string> readable, writable;  ///< canonical
  std::atomic<bool> closed = false;
  std::atomic<std::size_t> refused = 0;
};
Gate& gate() {
  static Gate* const kGate = new Gate;  // threads of NVRTC may outlive static objects
  return *kGate;
}

/// Calls the C library's own function of this name (or what a sanitizer put in front of it).
template <auto Own, class... Arguments>
auto call_next(const char* name, Arguments... arguments) {
  static const auto kReal = reinterpret_cast<decltype(Own)>(dlsym(RTLD_NEXT, name));
  return kReal(arguments...);
}

std::string canonical(const std::string& path) {
  std::array<char, PATH_MAX> buffer{};
  const char* found = call_next<&kgen_gated_realpath>("realpath", path.c_str(), buffer.data());
  return found == nullptr ? "" : found;
}

/// Of a file that need not exist: its folder's canonical path and its name.
std::string canonical_or_new(const std::string& path) {
  if (std::string found = canonical(path); !found.empty()) return found;
  const std::size_t slash = path.rfind('/');
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  const std::string folder = canonical(slash == std::string::npos ? "." : path.substr(0, slash + 1));
  return folder.empty() || name.empty() || name == ".." ? "" : folder + "/" + name;
}

bool is_below(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

enum class Use { read, write, look };

bool is_allowed(const std::string& path, Use use) {
  const auto below = [&](const std::string& folder) { return is_below(path, folder); };
  const auto leads_to = [&](const std::string& folder) { return path == "/" || is_below(folder, path); };
  const Gate& g = gate();
  const auto any = [](const auto& list, const auto& test) {
    return std::any_of(list.begin(), list.end(), test);
  };
  if (path == "/dev/null" || any(g.writable, below)) return true;
  if (use != Use::write && any(g.readable, below)) return true;
  return use == Use::look && (any(g.readable, leads_to) || any(g.writable, leads_to));
}

/// Whether the call may go on. Else errno is ENOENT, as for a file that is not there.
bool passes(const char* path, Use use) {
  if (!gate().closed || path == nullptr) return true;
  const int before = errno;
  if (is_allowed(canonical_or_new(path), use)) {
    errno = before;
    return true;
  }
  ++gate().refused;
  errno = ENOENT;
  return false;
}

/// The same for a path below an open folder.
bool passes_below(int folder, const char* path, Use use) {
  if (!gate().closed || path == nullptr || folder == AT_FDCWD || path[0] == '/') return passes(path, use);
  return passes(("/proc/self/fd/" + std::to_string(folder) + "/" + path).c_str(), use);
}

Use use_of(int flags) {
  return (flags & (O_ACCMODE | O_CREAT | O_TRUNC)) == O_RDONLY ? Use::read : Use::write;
}
Use use_of(const char* mode) {
  return std::strpbrk(mode, "wa+") == nullptr ? Use::read : Use::write;
}

}  // namespace

std::string close_file_gate(const SandboxRules& rules) {
  if (dlsym(RTLD_DEFAULT, "fopen") != reinterpret_cast<void*>(&kgen_gated_fopen)) {
    return "the program does not export its own fopen: it was linked without file_gate.symbols";
  }
  Gate& g = gate();
  const auto add = [](std::vector<std::string>& list, const std::filesystem::path& path) {
    if (std::string folder = canonical(path.string()); !folder.empty()) list.push_back(std::move(folder));
  };
  for (const auto& path : rules.read_only) add(g.readable, path);
  for (const auto& path : rules.read_write) add(g.writable, path);
  g.closed = true;
  return "ok";
}

std::size_t refused_by_file_gate() {
  return gate().refused;
}

}  // namespace kgen::compile

using kgen::compile::call_next;
using kgen::compile::passes;
using kgen::compile::passes_below;
using kgen::compile::Use;
using kgen::compile::use_of;

int kgen_gated_open(const char* path, int flags, unsigned mode) {
  return passes(path, use_of(flags)) ? call_next<&kgen_gated_open>("open", path, flags, mode) : -1;
}
int kgen_gated_open64(const char* path, int flags, unsigned mode) {
  return passes(path, use_of(flags)) ? call_next<&kgen_gated_open64>("open64", path, flags, mode) : -1;
}
int kgen_gated_openat(int folder, const char* path, int flags, unsigned mode) {
  if (!passes_below(folder, path, use_of(flags))) return -1;
  return call_next<&kgen_gated_openat>("openat", folder, path, flags, mode);
}
int kgen_gated_openat64(int folder, const char* path, int flags, unsigned mode) {
  if (!passes_below(folder, path, use_of(flags))) return -1;
  return call_next<&kgen_gated_openat64>("openat64", folder, path, flags, mode);
}
void* kgen_gated_fopen(const char* path, const char* mode) {
  return passes(path, use_of(mode)) ? call_next<&kgen_gated_fopen>("fopen", path, mode) : nullptr;
}
void* kgen_gated_fopen64(const char* path, const char* mode) {
  return passes(path, use_of(mode)) ? call_next<&kgen_gated_fopen64>("fopen64", path, mode) : nullptr;
}
void* kgen_gated_opendir(const char* path) {
  return passes(path, Use::read) ? call_next<&kgen_gated_opendir>("opendir", path) : nullptr;
}
int kgen_gated_access(const char* path, int mode) {
  return passes(path, Use::look) ? call_next<&kgen_gated_access>("access", path, mode) : -1;
}
int kgen_gated_stat(const char* path, void* facts) {
  return passes(path, Use::look) ? call_next<&kgen_gated_stat>("stat", path, facts) : -1;
}
int kgen_gated_stat64(const char* path, void* facts) {
  return passes(path, Use::look) ? call_next<&kgen_gated_stat64>("stat64", path, facts) : -1;
}
int kgen_gated_lstat(const char* path, void* facts) {
  return passes(path, Use::look) ? call_next<&kgen_gated_lstat>("lstat", path, facts) : -1;
}
int kgen_gated_lstat64(const char* path, void* facts) {
  return passes(path, Use::look) ? call_next<&kgen_gated_lstat64>("lstat64", path, facts) : -1;
}
int kgen_gated_xstat(int version, const char* path, void* facts) {
  return passes(path, Use::look) ? call_next<&kgen_gated_xstat>("__xstat", version, path, facts) : -1;
}
int kgen_gated_xstat64(int version, const char* path, void* facts) {
  return passes(path, Use::look) ? call_next<&kgen_gated_xstat64>("__xstat64", version, path, facts) : -1;
}
int kgen_gated_lxstat(int version, const char* path, void* facts) {
  return passes(path, Use::look) ? call_next<&kgen_gated_lxstat>("__lxstat", version, path, facts) : -1;
}
int kgen_gated_lxstat64(int version, const char* path, void* facts) {
  return passes(path, Use::look) ? call_next<&kgen_gated_lxstat64>("__lxstat64", version, path, facts) : -1;
}
long kgen_gated_readlink(const char* path, char* buffer, std::size_t bytes) {
  return passes(path, Use::look) ? call_next<&kgen_gated_readlink>("readlink", path, buffer, bytes) : -1;
}
char* kgen_gated_realpath(const char* path, char* buffer) {
  return passes(path, Use::look) ? call_next<&kgen_gated_realpath>("realpath", path, buffer) : nullptr;
}
