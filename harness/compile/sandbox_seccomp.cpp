#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <vector>

#include "harness/compile/sandbox_layers.hpp"
#include "util/file_descriptor.hpp"

namespace kgen::compile {
namespace {

#if defined(__x86_64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr unsigned kArchitecture = 0;
#endif

constexpr int kRefused[] = {
    // the network (the channel to the pool is already open)
    __NR_socket,
    __NR_socketpair,
    __NR_connect,
    __NR_bind,
    __NR_listen,
    __NR_accept,
    __NR_accept4,
    // other programs and processes
    __NR_execve,
    __NR_execveat,
    __NR_ptrace,
    __NR_process_vm_readv,
    __NR_process_vm_writev,
    __NR_kill,
    __NR_tkill,
    __NR_rt_sigqueueinfo,
    __NR_rt_tgsigqueueinfo,
    __NR_pidfd_send_signal,
    __NR_kcmp,
#ifdef __NR_fork
    __NR_fork,
    __NR_vfork,
#endif
#ifdef __NR_pidfd_open
    __NR_pidfd_open,
#endif
#ifdef __NR_pidfd_getfd
    __NR_pidfd_getfd,
#endif
    // the system
    __NR_mount,
    __NR_umount2,
    __NR_pivot_root,
    __NR_chroot,
    __NR_unshare,
    __NR_setns,
    __NR_bpf,
    __NR_perf_event_open,
    __NR_userfaultfd,
    __NR_keyctl,
    __NR_add_key,
    __NR_request_key,
    __NR_init_module,
    __NR_finit_module,
    __NR_delete_module,
    __NR_kexec_load,
    __NR_reboot,
    __NR_swapon,
    __NR_swapoff,
    __NR_open_by_handle_at,
    __NR_name_to_handle_at,
    __NR_personality,
    __NR_acct,
    __NR_quotactl,
    __NR_sethostname,
    __NR_setdomainname,
    __NR_settimeofday,
    __NR_clock_settime,
    __NR_fanotify_init,
    __NR_io_uring_setup,
    __NR_io_uring_enter,
    __NR_io_uring_register,
    __NR_setrlimit,
    __NR_shmget,
    __NR_shmat,
    __NR_msgget,
    __NR_semget,
    __NR_mq_open,
};

constexpr unsigned kAllow = SECCOMP_RET_ALLOW;
constexpr unsigned kDeny = SECCOMP_RET_ERRNO | EPERM;
constexpr unsigned kNoSuchCall = SECCOMP_RET_ERRNO | ENOSYS;

sock_filter load(std::size_t offset) {
  return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset));
}
sock_filter answer(unsigned action) {
  return BPF_STMT(BPF_RET | BPF_K, action);
}
/// Goes on where the loaded word equals `value`, else skips `skip` instructions.
sock_filter unless_equal_skip(unsigned value, unsigned char skip) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skip);
}

constexpr std::size_t low_word(int argument) {
  return offsetof(seccomp_data, args) + 8 * static_cast<std::size_t>(argument);
}

std::vector<sock_filter> make_filter(bool may_become_another) {
  std::vector<sock_filter> filter;
  const auto add = [&](std::initializer_list<sock_filter> list) { filter.insert(filter.end(), list); };
  add({load(offsetof(seccomp_data, arch)), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0),
       answer(SECCOMP_RET_KILL_PROCESS), load(offsetof(seccomp_data, nr))});
#if defined(__x86_64__)
  constexpr unsigned kX32Bit = 0x40000000;
  add({BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, kX32Bit, 0, 1), answer(kDeny)});
#endif
  for (const int call : kRefused) {
    if (call == __NR_execve && may_become_another) continue;
    add({unless_equal_skip(static_cast<unsigned>(call), 1), answer(kDeny)});
  }
  // Threads yes, processes no: clone3 hides its flags behind a pointer, and libc falls back to clone.
  add({unless_equal_skip(__NR_clone3, 1), answer(kNoSuchCall)});
  add({unless_equal_skip(__NR_clone, 4), load(low_word(0)),
       BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, static_cast<unsigned>(CLONE_THREAD), 0, 1), answer(kAllow),
       answer(kDeny)});
  // Signals to itself only (abort).
  add({unless_equal_skip(__NR_tgkill, 4), load(low_word(0)),
       BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(getpid()), 0, 1), answer(kAllow),
       answer(kDeny)});
  // Limits may be read, not set.
  add({unless_equal_skip(__NR_prlimit64, 6), load(low_word(2)), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3),
       load(low_word(2) + 4), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1), answer(kAllow), answer(kDeny)});
  add({answer(kAllow)});
  return filter;
}

}  // namespace

std::string restrict_system_calls(bool may_become_another) {
  if (kArchitecture == 0) return "no filter for this processor's system calls";
  std::vector<sock_filter> filter = make_filter(may_become_another);
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  if (syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0) {
    return "the filter was refused: " + util::system_reason(errno);
  }
  return "ok";
}

}  // namespace kgen::compile
