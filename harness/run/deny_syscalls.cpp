#include "harness/run/deny_syscalls.hpp"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <vector>

#include "util/file_descriptor.hpp"

namespace kgen::run {
namespace {

#if defined(__x86_64__)
constexpr unsigned kArch = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr unsigned kArch = AUDIT_ARCH_AARCH64;
#endif
constexpr unsigned kX32Bit = 0x40000000;

constexpr long kDenied[] = {
    SYS_socket,
    SYS_socketpair,
    SYS_connect,
    SYS_bind,
    SYS_listen,
    SYS_accept,
    SYS_accept4,  // network
    SYS_execve,
    SYS_execveat,  // other programs
#if defined(__x86_64__)
    SYS_fork,
    SYS_vfork,
#endif
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,  // other processes
    SYS_kill,
    SYS_tkill,
    SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo,
    SYS_pidfd_send_signal,
#if defined(SYS_process_madvise)
    SYS_process_madvise,
#endif
    SYS_io_uring_setup,
    SYS_io_uring_enter,
    SYS_io_uring_register,  // ways around this list
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_seccomp,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_setns,
    SYS_unshare,  // the system
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_sethostname,
    SYS_unlink,
    SYS_unlinkat,
    SYS_rename,
    SYS_renameat,
    SYS_renameat2,
    SYS_truncate,
    SYS_linkat,
    SYS_symlinkat,
    SYS_mknodat,
#if defined(__x86_64__)
    SYS_link,
    SYS_symlink,
    SYS_mknod,
#endif
    SYS_open_by_handle_at,  // files
};

constexpr sock_filter allow() {
  return BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
}
constexpr sock_filter refuse(int error) {
  return BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<unsigned>(error));
}
constexpr sock_filter load(std::size_t offset) {
  return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset));
}
/// Goes on where the loaded word is `value`, else skips the next instruction.
constexpr sock_filter if_equal(long value) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(value), 0, 1);
}

std::vector<sock_filter> deny_program() {
  std::vector<sock_filter> out = {
      load(offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArch, 1, 0),
      refuse(EPERM),  // system calls of another architecture
      load(offsetof(seccomp_data, nr)),
#if defined(__x86_64__)
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, kX32Bit, 0, 1),
      refuse(EPERM),
#endif
      if_equal(SYS_clone3),
      refuse(ENOSYS),  // its flags cannot be looked at: the C library falls back to clone
#if defined(SYS_pidfd_getfd)
      if_equal(SYS_pidfd_getfd),
      refuse(ENOSYS),  // a driver that knows it takes the way of kernels without it (before 5.6)
#endif
  };
  for (const long number : kDenied) {
    out.push_back(if_equal(number));
    out.push_back(refuse(EPERM));
  }
  // tgkill only to the process itself, as abort() does.
  out.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 4));
  out.push_back(load(offsetof(seccomp_data, args)));
  out.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(::getpid()), 1, 0));
  out.push_back(refuse(EPERM));
  out.push_back(allow());
  // clone only for threads.
  out.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3));
  out.push_back(load(offsetof(seccomp_data, args)));
  out.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0));
  out.push_back(refuse(EPERM));
  out.push_back(allow());
  return out;
}

}  // namespace

void give_up_privileges() {
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
}

DenyReport deny_dangerous_syscalls() {
  give_up_privileges();
  std::vector<sock_filter> program = deny_program();
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  // TSYNC: the driver's threads are bound too.
  if (const long status = ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
      status != 0) {
    return {false, "no deny-list: seccomp: " +
                       (status < 0 ? util::system_reason(errno) : "a thread cannot be bound")};
  }
  return {true, "seccomp deny-list of " + std::to_string(std::size(kDenied)) + " system calls"};
}

}  // namespace kgen::run
