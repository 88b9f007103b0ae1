#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <utility>

#include "harness/compile/sandbox_layers.hpp"
#include "util/file_descriptor.hpp"

namespace kgen::compile {
namespace {

// include/uapi/linux/landlock.h: said here because older headers lack the later fields.
constexpr long kCreateRuleset = 444, kAddRule = 445, kRestrictSelf = 446;
constexpr std::uint32_t kVersionFlag = 1;
constexpr int kPathBeneath = 1;
constexpr std::uint64_t kExecute = 1u << 0, kReadFile = 1u << 2, kReadFolder = 1u << 3, kTruncate = 1u << 14;
constexpr std::uint64_t kVersion1 = (1u << 13) - 1;  // execute ... make_sym
constexpr std::uint64_t kWriteFile = 1u << 1, kRemoveFolder = 1u << 4, kRemoveFile = 1u << 5,
                        kMakeFolder = 1u << 7, kMakeFile = 1u << 8;

struct RulesetAttributes {
  std::uint64_t files = 0;
  std::uint64_t network = 0;  // version 4
  std::uint64_t scoped = 0;   // version 6
};
struct __attribute__((packed)) PathRule {
  std::uint64_t allowed = 0;
  std::int32_t folder = -1;
};

RulesetAttributes attributes_for(long version) {
  RulesetAttributes attributes;
  attributes.files = kVersion1;
  if (version >= 2) attributes.files |= 1u << 13;  // refer
  if (version >= 3) attributes.files |= kTruncate;
  if (version >= 5) attributes.files |= 1u << 15;  // ioctl on devices
  if (version >= 4) attributes.network = 3;        // bind, connect
  if (version >= 6) attributes.scoped = 3;         // abstract sockets, signals
  return attributes;
}

std::size_t size_for(long version) {
  return version >= 6 ? sizeof(RulesetAttributes) : version >= 4 ? 16 : 8;
}

bool add_rule(int ruleset, const std::filesystem::path& path, std::uint64_t allowed) {
  const util::FileDescriptor fd(open(path.c_str(), O_PATH | O_CLOEXEC));
  struct stat facts{};
  if (!fd.is_open() || fstat(fd.get(), &facts) != 0) return errno == ENOENT;
  if (!S_ISDIR(facts.st_mode)) allowed &= kExecute | kReadFile | kWriteFile | kTruncate;
  const PathRule rule{allowed, fd.get()};
  return syscall(kAddRule, ruleset, kPathBeneath, &rule, 0) == 0;
}

}  // namespace

std::string restrict_files(const SandboxRules& rules, const std::vector<std::filesystem::path>& programs) {
  const long version = syscall(kCreateRuleset, nullptr, 0, kVersionFlag);
  if (version < 1) return "this kernel has no Landlock (" + util::system_reason(errno) + ")";
  const RulesetAttributes attributes = attributes_for(version);
  const util::FileDescriptor ruleset(
      static_cast<int>(syscall(kCreateRuleset, &attributes, size_for(version), 0)));
  if (!ruleset.is_open()) return "the rule set was refused: " + util::system_reason(errno);
  const std::uint64_t read = kReadFile | kReadFolder;
  const std::uint64_t write = read | kWriteFile | kRemoveFile | kRemoveFolder | kMakeFile | kMakeFolder |
                              (version >= 3 ? kTruncate : 0);
  const std::pair<const std::vector<std::filesystem::path>&, std::uint64_t> rights[] = {
      {rules.read_only, read}, {rules.read_write, write}, {programs, kReadFile | kExecute}};
  for (const auto& [paths, allowed] : rights) {
    for (const std::filesystem::path& path : paths) {
      if (!add_rule(ruleset.get(), path, allowed))
        return "no rule for " + path.string() + ": " + util::system_reason(errno);
    }
  }
  if (syscall(kRestrictSelf, ruleset.get(), 0) != 0) return "it was refused: " + util::system_reason(errno);
  return "ok";
}

}  // namespace kgen::compile
