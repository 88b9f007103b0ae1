// Barriers in shared memory that count threads and bytes, clusters, and small things a warp-specialised kernel needs.
// "PTX (...)" names sections of the PTX ISA manual (9.0 and before).
#pragma once

namespace kgen::sm90 {

/// Clock cycles that mbarrier_wait waits before it gives up, about two seconds: a wrong count is an error, not a hang.
constexpr long long wait_limit_cycles = 4000000000;

/// The 32-bit address of an object in shared memory, as instructions take it.
__device__ __forceinline__ uint32_t shared_address(const void* p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

/// One thread, before anyone uses it: a phase completes after `count` arrivals and all expected bytes. 8 bytes, 8-byte aligned, in
/// shared memory. Then fence_mbarrier_init() and cluster_sync() or __syncthreads(). PTX (mbarrier.init).
__device__ __forceinline__ void mbarrier_init(uint64_t* barrier, uint32_t count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(count) : "memory");
}

/// Makes initialised barriers visible to TMA and to the other blocks of the cluster. PTX (fence.mbarrier_init).
__device__ __forceinline__ void fence_mbarrier_init() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/// Arrives once. PTX (mbarrier.arrive).
__device__ __forceinline__ void mbarrier_arrive(uint64_t* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}

/// Arrives once at the same barrier of the cluster's block `rank` (one's own too): gives back a buffer that wgmma or TMA has read. For
/// data that ordinary stores left in shared memory take cluster_sync(). PTX (mapa, mbarrier.arrive).
__device__ __forceinline__ void mbarrier_arrive_remote(uint64_t* barrier, uint32_t rank) {
  asm volatile(
      "{\n.reg .b32 remote;\nmapa.shared::cluster.u32 remote, %0, %1;\n"
      "mbarrier.arrive.shared::cluster.b64 _, [remote];\n}" ::"r"(shared_address(barrier)),
      "r"(rank)
      : "memory");
}

/// Arrives once and expects that many bytes in this phase: one thread, before it starts the loads. Of a load whose box sticks out
/// of the tensor the whole box counts. PTX (mbarrier.arrive.expect_tx).
__device__ __forceinline__ void mbarrier_arrive_expect_tx(uint64_t* barrier, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes) : "memory");
}

/// Expects further bytes without arriving. PTX (mbarrier.expect_tx).
__device__ __forceinline__ void mbarrier_expect_tx(uint64_t* barrier, uint32_t bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes) : "memory");
}

/// Whether the phase of this parity has completed; may wait a short while. PTX (mbarrier.try_wait).
__device__ __forceinline__ bool mbarrier_try_wait(uint64_t* barrier, uint32_t parity) {
  uint32_t done;
  asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
               : "=r"(done)
               : "r"(shared_address(barrier)), "r"(parity)
               : "memory");
  return done != 0;
}

/// Waits until the phase of this parity has completed: phases are 0, 1, 0, 1... from the first. A fresh barrier passes a wait for
/// parity 1. Of a ring, the nth round (from 0) is awaited with n & 1 by who reads what is loaded, and with (n & 1) ^ 1 by who loads
/// into what was released. After wait_limit_cycles it stores to address 0, an illegal address (a `trap` in this
/// loop makes ptxas 13.0 compile as if setmaxnreg were not there).
__device__ __forceinline__ void mbarrier_wait(uint64_t* barrier, uint32_t parity) {
  if (mbarrier_try_wait(barrier, parity)) return;
  const long long start = clock64();
  while (!mbarrier_try_wait(barrier, parity)) {
    if (clock64() - start > wait_limit_cycles) asm volatile("st.global.u32 [%0], %1;" ::"l"(0ull), "r"(parity) : "memory");
  }
}

/// By each thread that wrote shared memory with ordinary stores, before wgmma or a TMA store reads it (then a barrier), and before a
/// TMA load overwrites what was read with ordinary loads. PTX (fence.proxy.async).
__device__ __forceinline__ void fence_proxy_async() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// This block's number in its cluster. PTX (%cluster_ctarank).
__device__ __forceinline__ uint32_t cluster_rank() {
  uint32_t rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

/// Blocks in the cluster. PTX (%cluster_nctarank).
__device__ __forceinline__ uint32_t cluster_size() {
  uint32_t size;
  asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
  return size;
}

/// The two halves of cluster_sync(). PTX (barrier.cluster).
__device__ __forceinline__ void cluster_arrive() {
  asm volatile("barrier.cluster.arrive.release;" ::: "memory");
}
__device__ __forceinline__ void cluster_wait() {
  asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
}

/// A barrier of all threads of the cluster's blocks. Also before a block ends whose shared memory others may still reach.
__device__ __forceinline__ void cluster_sync() {
  cluster_arrive();
  cluster_wait();
}

/// The address, for ld.shared::cluster and the like, of the object at `p` in the block `rank`. PTX (mapa).
__device__ __forceinline__ uint32_t remote_address(const void* p, uint32_t rank) {
  uint32_t remote;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"(shared_address(p)), "r"(rank));
  return remote;
}

/// True in one thread of a warp; all 32 call it. PTX (elect.sync).
__device__ __forceinline__ bool elect_one() {
  uint32_t elected;
  asm volatile("{\n.reg .pred p;\nelect.sync _|p, 0xffffffff;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(elected)::"memory");
  return elected != 0;
}

/// Takes registers up to `count` a thread from what others gave back; the whole warpgroup calls it. A multiple of 8 from 24 to 256.
/// The kernel needs __launch_bounds__(threads, 1), both arguments, or the compiler ignores this (C7508). PTX (setmaxnreg).
template <int count>
__device__ __forceinline__ void setmaxnreg_inc() {
  static_assert(count >= 24 && count <= 256 && count % 8 == 0, "a multiple of 8 from 24 to 256");
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(count));
}

/// Gives registers back down to `count` a thread; the whole warpgroup calls it. PTX (setmaxnreg).
template <int count>
__device__ __forceinline__ void setmaxnreg_dec() {
  static_assert(count >= 24 && count <= 256 && count % 8 == 0, "a multiple of 8 from 24 to 256");
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(count));
}

/// Barrier `id` (1 to 15; 0 is __syncthreads) of `threads` threads, a multiple of 32: wait for all. PTX (barrier).
__device__ __forceinline__ void named_barrier_sync(uint32_t id, uint32_t threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

/// Arrives at it without waiting. PTX (barrier).
__device__ __forceinline__ void named_barrier_arrive(uint32_t id, uint32_t threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

}  // namespace kgen::sm90
