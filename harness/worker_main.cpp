/// kgen-worker: one program, several roles, so that candidate code never shares a process with what judges
/// it.
#include <cstdio>
#include <string_view>

#include "harness/compile/compile_main.hpp"
#include "harness/compile/disassemble_main.hpp"
#include "harness/judge/ceilings_main.hpp"
#include "harness/judge/judge_main.hpp"
#include "harness/profile/profile_main.hpp"
#include "harness/run/run_main.hpp"
#include "harness/sanitize/sanitize_main.hpp"

namespace {

/// Requests and answers go over this descriptor; stdout is for whatever a candidate prints.
constexpr int kMessageFd = 3;

struct Role {
  std::string_view name;
  int (*main)();
};

constexpr Role kRoles[] = {
    {"judge", [] { return kgen::judge::judge_main(); }},
    {"ceilings", [] { return kgen::judge::ceilings_main(); }},
    {"compile", [] { return kgen::compile::compile_main(kMessageFd); }},
    {"disassemble", [] { return kgen::compile::disassemble_main(); }},
    {"run", [] { return kgen::run::run_main(kMessageFd); }},
    {"profile", [] { return kgen::profile::profile_main(kMessageFd); }},
    {"sanitize", [] { return kgen::sanitize::sanitize_main(); }},
};

}  // namespace

int main(int argc, char** argv) {
  const std::string_view wanted = argc > 1 ? argv[1] : "judge";
  for (const Role& role : kRoles) {
    if (role.name == wanted) return role.main();
  }
  std::fprintf(stderr, "kgen-worker: there is no role %.*s; there are:", static_cast<int>(wanted.size()),
               wanted.data());
  for (const Role& role : kRoles)
    std::fprintf(stderr, " %.*s", static_cast<int>(role.name.size()), role.name.data());
  std::fprintf(stderr, "\n");
  return 2;
}
