// Tensor Memory Accelerator: boxes of tensors between global and shared memory, started by one thread. Coordinates are in elements,
// innermost dimension first, as in the tensor map, and may lie outside it (loads fill, stores are cut off).
// "PTX (...)" names sections of the PTX ISA manual (9.0 and before).
#pragma once

#include <kgen/sm90/mbarrier.cuh>

namespace kgen::sm90 {
namespace detail {

/// The copies of one rank. Operands: %0 shared memory, %1 map, %2 barrier, %3 blocks, %4 cache policy, from %5 on coordinates.
template <int rank>
struct Box;
#define KGEN_TMA_STATEMENT(text, ...)                                                                              \
  asm volatile(text ::"r"(tile), "l"(map), "r"(barrier), "h"(blocks), "l"(policy), __VA_ARGS__ : "memory")
#define KGEN_TMA_ARGUMENTS uint32_t tile, const CUtensorMap *map, uint32_t barrier, uint16_t blocks, uint64_t policy, const int *c
#define KGEN_TMA_BOX(rank, at, ...)                                                                                          \
  template <>                                                                                                                \
  struct Box<rank> {                                                                                                         \
    static __device__ __forceinline__ void load(KGEN_TMA_ARGUMENTS) {                                                        \
      KGEN_TMA_STATEMENT("cp.async.bulk.tensor." #rank                                                                       \
                         "d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, " at "], [%2];",                  \
                         __VA_ARGS__);                                                                                       \
    }                                                                                                                        \
    static __device__ __forceinline__ void load_hint(KGEN_TMA_ARGUMENTS) {                                                   \
      KGEN_TMA_STATEMENT("cp.async.bulk.tensor." #rank                                                                       \
                         "d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1, " at               \
                         "], [%2], %4;",                                                                                     \
                         __VA_ARGS__);                                                                                       \
    }                                                                                                                        \
    static __device__ __forceinline__ void load_multicast(KGEN_TMA_ARGUMENTS) {                                              \
      KGEN_TMA_STATEMENT("cp.async.bulk.tensor." #rank                                                                       \
                         "d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, " at           \
                         "], [%2], %3;",                                                                                     \
                         __VA_ARGS__);                                                                                       \
    }                                                                                                                        \
    static __device__ __forceinline__ void store(KGEN_TMA_ARGUMENTS) {                                                       \
      KGEN_TMA_STATEMENT("cp.async.bulk.tensor." #rank "d.global.shared::cta.bulk_group [%1, " at "], [%0];", __VA_ARGS__);  \
    }                                                                                                                        \
    static __device__ __forceinline__ void reduce_add(KGEN_TMA_ARGUMENTS) {                                                  \
      KGEN_TMA_STATEMENT("cp.reduce.async.bulk.tensor." #rank "d.global.shared::cta.add.bulk_group [%1, " at "], [%0];",     \
                         __VA_ARGS__);                                                                                       \
    }                                                                                                                        \
    static __device__ __forceinline__ void prefetch(KGEN_TMA_ARGUMENTS) {                                                    \
      KGEN_TMA_STATEMENT("cp.async.bulk.prefetch.tensor." #rank "d.L2.global [%1, " at "];", __VA_ARGS__);                   \
    }                                                                                                                        \
  };
KGEN_TMA_BOX(1, "{%5}", "r"(c[0]))
KGEN_TMA_BOX(2, "{%5,%6}", "r"(c[0]), "r"(c[1]))
KGEN_TMA_BOX(3, "{%5,%6,%7}", "r"(c[0]), "r"(c[1]), "r"(c[2]))
KGEN_TMA_BOX(4, "{%5,%6,%7,%8}", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]))
KGEN_TMA_BOX(5, "{%5,%6,%7,%8,%9}", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]))
#undef KGEN_TMA_BOX
#undef KGEN_TMA_ARGUMENTS
#undef KGEN_TMA_STATEMENT

}  // namespace detail

/// Fetches a map into the cache; once, by one thread, at the kernel's start. The map is a kernel parameter,
/// `const __grid_constant__ CUtensorMap`. PTX (prefetch, prefetchu).
__device__ __forceinline__ void prefetch_tensor_map(const CUtensorMap& map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}

/// Loads the box at one to five coordinates to `tile` (128-byte aligned; 8 rows with a swizzle: 1024 bytes for 128B), and completes its
/// bytes on `barrier`. PTX (cp.async.bulk.tensor).
template <class... Ints>
__device__ __forceinline__ void tma_load(void* tile, const CUtensorMap& map, uint64_t* barrier, Ints... coordinates) {
  const int c[] = {static_cast<int>(coordinates)...};
  detail::Box<sizeof...(Ints)>::load(shared_address(tile), &map, shared_address(barrier), 0, 0, c);
}

/// The same with a cache policy of l2_evict_first() or l2_evict_last().
template <class... Ints>
__device__ __forceinline__ void tma_load_hint(void* tile, const CUtensorMap& map, uint64_t* barrier, uint64_t policy,
                                              Ints... coordinates) {
  const int c[] = {static_cast<int>(coordinates)...};
  detail::Box<sizeof...(Ints)>::load_hint(shared_address(tile), &map, shared_address(barrier), 0, policy, c);
}

/// Loads the box into every block of the cluster whose bit is set in `blocks`, at the same offset in its shared memory, and completes
/// the bytes on the barrier at the same offset there. Each block's barrier expects all bytes that arrive in its own tiles.
/// PTX (cp.async.bulk.tensor).
template <class... Ints>
__device__ __forceinline__ void tma_load_multicast(void* tile, const CUtensorMap& map, uint64_t* barrier, uint16_t blocks,
                                                   Ints... coordinates) {
  const int c[] = {static_cast<int>(coordinates)...};
  detail::Box<sizeof...(Ints)>::load_multicast(shared_address(tile), &map, shared_address(barrier), blocks, 0, c);
}

/// Stores a tile to the box; then tma_commit(), and tma_wait_read() before the tile is written again. Threads that wrote the tile
/// call fence_proxy_async() and meet at a barrier first. PTX (cp.async.bulk.tensor).
template <class... Ints>
__device__ __forceinline__ void tma_store(const CUtensorMap& map, const void* tile, Ints... coordinates) {
  const int c[] = {static_cast<int>(coordinates)...};
  detail::Box<sizeof...(Ints)>::store(shared_address(tile), &map, 0, 0, 0, c);
}

/// Adds a tile to the box in global memory, by element, atomically each. The order of additions varies between runs.
/// PTX (cp.reduce.async.bulk.tensor).
template <class... Ints>
__device__ __forceinline__ void tma_reduce_add(const CUtensorMap& map, const void* tile, Ints... coordinates) {
  const int c[] = {static_cast<int>(coordinates)...};
  detail::Box<sizeof...(Ints)>::reduce_add(shared_address(tile), &map, 0, 0, 0, c);
}

/// Fetches the box into L2. PTX (cp.async.bulk.prefetch.tensor).
template <class... Ints>
__device__ __forceinline__ void tma_prefetch(const CUtensorMap& map, Ints... coordinates) {
  const int c[] = {static_cast<int>(coordinates)...};
  detail::Box<sizeof...(Ints)>::prefetch(0, &map, 0, 0, 0, c);
}

/// Copies `bytes` (a multiple of 16; both addresses 16-byte aligned) to shared memory without a map, and completes them on `barrier`.
/// PTX (cp.async.bulk).
__device__ __forceinline__ void bulk_load(void* target, const void* source, uint32_t bytes, uint64_t* barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   shared_address(target)),
               "l"(__cvta_generic_to_global(source)), "r"(bytes), "r"(shared_address(barrier))
               : "memory");
}

/// The other way; then tma_commit() and a wait, as with tma_store. PTX (cp.async.bulk).
__device__ __forceinline__ void bulk_store(void* target, const void* source, uint32_t bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(target)),
               "r"(shared_address(source)), "r"(bytes)
               : "memory");
}

/// Closes a group of this thread's stores. PTX (cp.async.bulk.commit_group).
__device__ __forceinline__ void tma_commit() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

/// Waits until all but `pending` groups of this thread have read their tiles. PTX (cp.async.bulk.wait_group).
template <int pending>
__device__ __forceinline__ void tma_wait_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(pending) : "memory");
}

/// Waits until all but `pending` groups of this thread have been written. PTX (cp.async.bulk.wait_group).
template <int pending>
__device__ __forceinline__ void tma_wait() {
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(pending) : "memory");
}

/// Cache policies for tma_load_hint: read once; read again by others. PTX (createpolicy).
__device__ __forceinline__ uint64_t l2_evict_first() {
  uint64_t policy;
  asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}
__device__ __forceinline__ uint64_t l2_evict_last() {
  uint64_t policy;
  asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}

}  // namespace kgen::sm90
