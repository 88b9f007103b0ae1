// How a tile's 16-byte chunks are permuted within rows of that many bytes: chunk index XOR (address >> 7), its low 3, 2 or 1 bits. The
// values are wgmma's (CUtensorMap numbers them the other way round; a plan says "128B", "64B", "32B", "none").
enum class Swizzle : unsigned { none = 0, b128 = 1, b64 = 2, b32 = 3 };
// Which index runs fastest in shared memory: k (K-major: A as [M][K], B as [N][K]) or m, n (MN-major: A as [K][M], B as [K][N]).
enum class Major : unsigned { K = 0, MN = 1 };
// Element types of A and B. The accumulator's type follows from the array given for D: float, uint32_t (two f16) or int.
struct bf16 {};
struct f16 {};
struct tf32 {};
struct e4m3 {};
struct e5m2 {};
struct e4m3_e5m2 {};
struct e5m2_e4m3 {};
struct s8 {};
struct u8 {};
struct s8_u8 {};
struct u8_s8 {};
// A matrix descriptor from its fields; leading and stride offset in bytes.
uint64_t descriptor(const void* tile, uint32_t leading_bytes, uint32_t stride_bytes, Swizzle swizzle);
// Bytes of one row of a swizzled tile: 128, 64 or 32.
constexpr uint32_t span_of(Swizzle swizzle);
// Descriptor of a K-major tile whose rows (m or n) are one swizzle span of k each, as a TMA box {span, rows} writes it; `tile` is
// aligned to 8 rows (1024 bytes for b128). Each further wgmma along k: advance(desc, 32), four steps in a b128 span, two in b64, one
// in b32, then the next box.
template <Swizzle swizzle = Swizzle::b128> uint64_t descriptor_k_major(const void* tile);
// Descriptor of an MN-major tile of 16-bit elements: chunks of one swizzle span of m or n by all of k, as a TMA box {span, k}
// writes one; `chunk_bytes` from one chunk to the next (64 columns for b128; any value where there is only one). Each further
// wgmma (k16): advance(desc, 16 * span) = 2048 for b128.
template <Swizzle swizzle = Swizzle::b128> uint64_t descriptor_mn_major(const void* tile, uint32_t chunk_bytes);
// The descriptor of what lies `bytes` further in shared memory. A multiple of 16.
uint64_t advance(uint64_t desc, uint32_t bytes);
// Where the byte at `offset` of an unswizzled tile is once swizzled; the tile aligned to 8 rows. For ordinary reads and writes.
template <Swizzle swizzle = Swizzle::b128> uint32_t swizzled(uint32_t offset);
// D[64 x N] = A[64 x K] B[K x N] + (scale_d ? D : 0), K = 32 bytes of elements, by the 128 threads of a warpgroup; returns at
// once. N = 2 R for float and int, 4 R for uint32_t. Lane l of warp w holds in d[4 j + 2 h + e] the element of row
// 16 w + l / 4 + 8 h, column 8 j + 2 (l % 4) + e (uint32_t: both e in d[2 j + h]).
template <class T, Major major_a = Major::K, Major major_b = Major::K, class Register, int R> void wgmma(Register (&d)[R], uint64_t desc_a, uint64_t desc_b, bool scale_d);
// The same with A in registers: for 16-bit types a[2 c + h] holds row 16 w + l / 4 + 8 h, columns 8 c + 2 (l % 4) and the next, the
// lower in the low half. So a product's accumulators are the next one's A: of columns 16 i to 16 i + 15,
// a[0..3] = packed d[8 i + 0,1], d[8 i + 2,3], d[8 i + 4,5], d[8 i + 6,7]. 8-bit: columns 16 c + 4 (l % 4) and three more;
// tf32: column 4 c + l % 4.
template <class T, Major major_a = Major::K, Major major_b = Major::K, class Register, int R> void wgmma(Register (&d)[R], const uint32_t (&a)[4], uint64_t desc_b, bool scale_d);
// Keeps these registers where they are: no instruction that touches them moves across. The arrays are of float or 32-bit integers.
template <int R> void pin(float (&d)[R]);
template <int R> void pin(uint32_t (&d)[R]);
template <int R> void pin(int (&d)[R]);
template <class Row, int rows, int R> void pin(Row (&d)[rows][R]);
// Before the first wgmma, and again wherever ordinary code has touched the accumulators or A's registers since; give those arrays.
template <class... Arrays> void wgmma_fence(Arrays&... arrays);
// Closes a group of the products issued since the last commit.
void wgmma_commit();
// Waits until at most `pending` groups are unfinished. Give every array that a finished product wrote, or read as A: no earlier
// access to them moves behind, no later one before.
template <int pending, class... Arrays> void wgmma_wait(Arrays&... arrays);
// Clock cycles that mbarrier_wait waits before it gives up, about two seconds: a wrong count is an error, not a hang.
constexpr long long wait_limit_cycles = 4000000000;
// The 32-bit address of an object in shared memory, as instructions take it.
uint32_t shared_address(const void* p);
// One thread, before anyone uses it: a phase completes after `count` arrivals and all expected bytes. 8 bytes, 8-byte aligned, in
// shared memory. Then fence_mbarrier_init() and cluster_sync() or __syncthreads().
void mbarrier_init(uint64_t* barrier, uint32_t count);
// Makes initialised barriers visible to TMA and to the other blocks of the cluster.
void fence_mbarrier_init();
// Arrives once.
void mbarrier_arrive(uint64_t* barrier);
// Arrives once at the same barrier of the cluster's block `rank` (one's own too): gives back a buffer that wgmma or TMA has read. For
// data that ordinary stores left in shared memory take cluster_sync().
void mbarrier_arrive_remote(uint64_t* barrier, uint32_t rank);
// Arrives once and expects that many bytes in this phase: one thread, before it starts the loads. Of a load whose box sticks out
// of the tensor the whole box counts.
void mbarrier_arrive_expect_tx(uint64_t* barrier, uint32_t bytes);
// Expects further bytes without arriving.
void mbarrier_expect_tx(uint64_t* barrier, uint32_t bytes);
// Whether the phase of this parity has completed; may wait a short while.
bool mbarrier_try_wait(uint64_t* barrier, uint32_t parity);
// Waits until the phase of this parity has completed: phases are 0, 1, 0, 1... from the first. A fresh barrier passes a wait for
// parity 1. Of a ring, the nth round (from 0) is awaited with n & 1 by who reads what is loaded, and with (n & 1) ^ 1 by who loads
// into what was released. After wait_limit_cycles it stores to address 0, an illegal address (a `trap` in this
// loop makes ptxas 13.0 compile as if setmaxnreg were not there).
void mbarrier_wait(uint64_t* barrier, uint32_t parity);
// By each thread that wrote shared memory with ordinary stores, before wgmma or a TMA store reads it (then a barrier), and before a
// TMA load overwrites what was read with ordinary loads.
void fence_proxy_async();
// This block's number in its cluster.
uint32_t cluster_rank();
// Blocks in the cluster.
uint32_t cluster_size();
// The two halves of cluster_sync().
void cluster_arrive();
void cluster_wait();
// A barrier of all threads of the cluster's blocks. Also before a block ends whose shared memory others may still reach.
void cluster_sync();
// The address, for ld.shared::cluster and the like, of the object at `p` in the block `rank`.
uint32_t remote_address(const void* p, uint32_t rank);
// True in one thread of a warp; all 32 call it.
bool elect_one();
// Takes registers up to `count` a thread from what others gave back; the whole warpgroup calls it. A multiple of 8 from 24 to 256.
// The kernel needs __launch_bounds__(threads, 1), both arguments, or the compiler ignores this (C7508).
template <int count> void setmaxnreg_inc();
// Gives registers back down to `count` a thread; the whole warpgroup calls it.
template <int count> void setmaxnreg_dec();
// Barrier `id` (1 to 15; 0 is __syncthreads) of `threads` threads, a multiple of 32: wait for all.
void named_barrier_sync(uint32_t id, uint32_t threads);
// Arrives at it without waiting.
void named_barrier_arrive(uint32_t id, uint32_t threads);
// Fetches a map into the cache; once, by one thread, at the kernel's start. The map is a kernel parameter,
// `const __grid_constant__ CUtensorMap`.
void prefetch_tensor_map(const CUtensorMap& map);
// Loads the box at one to five coordinates to `tile` (128-byte aligned; 8 rows with a swizzle: 1024 bytes for 128B), and completes its
// bytes on `barrier`.
template <class... Ints> void tma_load(void* tile, const CUtensorMap& map, uint64_t* barrier, Ints... coordinates);
// The same with a cache policy of l2_evict_first() or l2_evict_last().
template <class... Ints> void tma_load_hint(void* tile, const CUtensorMap& map, uint64_t* barrier, uint64_t policy, Ints... coordinates);
// Loads the box into every block of the cluster whose bit is set in `blocks`, at the same offset in its shared memory, and completes
// the bytes on the barrier at the same offset there. Each block's barrier expects all bytes that arrive in its own tiles.
template <class... Ints> void tma_load_multicast(void* tile, const CUtensorMap& map, uint64_t* barrier, uint16_t blocks, Ints... coordinates);
// Stores a tile to the box; then tma_commit(), and tma_wait_read() before the tile is written again. Threads that wrote the tile
// call fence_proxy_async() and meet at a barrier first.
template <class... Ints> void tma_store(const CUtensorMap& map, const void* tile, Ints... coordinates);
// Adds a tile to the box in global memory, by element, atomically each. The order of additions varies between runs.
template <class... Ints> void tma_reduce_add(const CUtensorMap& map, const void* tile, Ints... coordinates);
// Fetches the box into L2.
template <class... Ints> void tma_prefetch(const CUtensorMap& map, Ints... coordinates);
// Copies `bytes` (a multiple of 16; both addresses 16-byte aligned) to shared memory without a map, and completes them on `barrier`.
void bulk_load(void* target, const void* source, uint32_t bytes, uint64_t* barrier);
// The other way; then tma_commit() and a wait, as with tma_store.
void bulk_store(void* target, const void* source, uint32_t bytes);
// Closes a group of this thread's stores.
void tma_commit();
// Waits until all but `pending` groups of this thread have read their tiles.
template <int pending> void tma_wait_read();
// Waits until all but `pending` groups of this thread have been written.
template <int pending> void tma_wait();
// Cache policies for tma_load_hint: read once; read again by others.
uint64_t l2_evict_first();
uint64_t l2_evict_last();
// Two floats rounded to bf16 in one register, `low` in the low half.
uint32_t pack_bf16(float low, float high);
// The same in f16.
uint32_t pack_f16(float low, float high);
// 2^x in one instruction, error about 2^-22, subnormal results become 0; 0 for -INFINITY.
float exp2_fast(float x);
// Stores four 8x8 matrices of 16-bit elements: lane l gives in `row` the address of row l % 8 of matrix l / 8 (16 bytes, aligned), and
// in values[i] the elements of row l / 4, columns 2 (l % 4) and the next, of matrix i. Accumulators packed by pairs have this layout:
// values = columns 0-7 rows 0-7, columns 0-7 rows 8-15, columns 8-15 rows 0-7, columns 8-15 rows 8-15.
void stmatrix_x4(void* row, uint32_t v0, uint32_t v1, uint32_t v2, uint32_t v3);
// The same, each matrix transposed: row l % 8 in memory is column l % 8 of the registers' matrix.
void stmatrix_x4_transposed(void* row, uint32_t v0, uint32_t v1, uint32_t v2, uint32_t v3);
// Loads four 8x8 matrices the same way: A for a wgmma with A in registers.
void ldmatrix_x4(const void* row, uint32_t (&values)[4]);
