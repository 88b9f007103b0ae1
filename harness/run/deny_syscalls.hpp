#pragma once

#include <string>

namespace kgen::run {

/// What of the deny-list is in force.
struct DenyReport {
  bool in_force = false;
  std::string text;  ///< "seccomp deny-list of 42 system calls", or what the kernel refused
};

/// Forbids this process, from now on and for all its threads, what a candidate's host side never needs: new
/// sockets, other programs, other processes, looking into them, changing the system. The driver's ioctls,
/// memory and threads stay allowed, so this is a deny-list (EPERM), not an allow-list. Cannot be undone.
DenyReport deny_dangerous_syscalls();

/// No new privileges, no core files: before anything else.
void give_up_privileges();

}  // namespace kgen::run
