// Integers: bits, bytes, wide products and quotients, SIMD within a word.
__global__ void bit_counts(const unsigned long long* x, int* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned long long v = x[i];
  const unsigned low = static_cast<unsigned>(v);
  int* out = y + i * 8;
  out[0] = __popcll(v);
  out[1] = __clzll(v >> (i % 64));
  out[2] = __ffsll(v << (i % 64));
  out[3] = __popc(low);
  out[4] = __clz(low >> (i % 32));
  out[5] = __ffs(low << (i % 32));
  out[6] = static_cast<int>(__brev(low));
  out[7] = static_cast<int>(__fns(low, i % 32, i % 2 ? 2 : -2));
}

__global__ void byte_tricks(const unsigned* a, const unsigned* b, unsigned* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned* out = y + i * 8;
  out[0] = __byte_perm(a[i], b[i], 0x7250 + (i & 7));
  out[1] = __funnelshift_l(a[i], b[i], i);
  out[2] = __funnelshift_rc(a[i], b[i], i);
  out[3] = __sad(static_cast<int>(a[i]), static_cast<int>(b[i]), 5u);
  out[4] = __uhadd(a[i], b[i]);
  out[5] = static_cast<unsigned>(__rhadd(static_cast<int>(a[i]), static_cast<int>(b[i])));
  out[6] = static_cast<unsigned>(__mul24(static_cast<int>(a[i]), static_cast<int>(b[i])));
  out[7] = a[i] >> (b[i] & 31) | a[i] << (-b[i] & 31);
}

__global__ void simd_words(const unsigned* a, const unsigned* b, unsigned* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned* out = y + i * 10;
  out[0] = __vadd4(a[i], b[i]);
  out[1] = __vabsdiffu4(a[i], b[i]);
  out[2] = __vmaxs2(a[i], b[i]);
  out[3] = __vcmpgtu4(a[i], b[i]);
  out[4] = __vavgu4(a[i], b[i]);
  out[5] = __vaddss2(a[i], b[i]);
  out[6] = __vsadu4(a[i], b[i]);
  out[7] = static_cast<unsigned>(__dp4a(static_cast<int>(a[i]), static_cast<int>(b[i]), -7));
  out[8] = __dp2a_lo(a[i], b[i], 11u);
  bool high, low;
  out[9] = __vibmin_s16x2(a[i], b[i], &high, &low);
}

__global__ void divisions(const long long* a, const long long* b, long long* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const auto ua = static_cast<unsigned long long>(a[i]), ub = static_cast<unsigned long long>(b[i]);
  long long* out = y + i * 10;
  out[0] = a[i] / b[i];
  out[1] = a[i] % b[i];
  out[2] = static_cast<long long>(ua / ub);
  out[3] = static_cast<long long>(ua % ub);
  out[4] = __mul64hi(a[i], b[i]);
  out[5] = static_cast<long long>(__umul64hi(ua, ub));
  out[6] = static_cast<int>(a[i]) / (static_cast<int>(b[i]) | 1);
  out[7] = static_cast<unsigned>(ua) % 1000003u;
  out[8] = a[i] / 10 + a[i] % 1000000007ll;
  out[9] = static_cast<short>(a[i]) / 7 + static_cast<signed char>(b[i]) % 5;
}

// 128-bit arithmetic: a product, its remainder, and a sum with carries.
__global__ void wide_products(const unsigned long long* a, const unsigned long long* b, unsigned long long* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const auto high = __umul64hi(a[i], b[i]), low = a[i] * b[i];
  const unsigned long long sum = low + a[i];
  y[3 * i] = sum;
  y[3 * i + 1] = high + (sum < low);
  unsigned long long rest = high % 0xffffffffull;  // 2^64 is 1 modulo 2^32 - 1
  rest = (rest + low % 0xffffffffull) % 0xffffffffull;
  y[3 * i + 2] = rest;
}

// The carry flag between two kinds: a difference without a borrow leaves a carry.
__global__ void carries_of_differences(const unsigned* a, const unsigned* b, unsigned* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  asm("sub.cc.u32 %0, %3, %4; subc.cc.u32 %1, %4, %3; addc.u32 %2, 0, 7;"
      : "=&r"(y[3 * i]), "=&r"(y[3 * i + 1]), "=r"(y[3 * i + 2])
      : "r"(a[i]), "r"(b[i]));
}

__device__ unsigned crc_byte(unsigned crc, unsigned char byte) {
  crc ^= byte;
  for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (0xEDB88320u & -(crc & 1));
  return crc;
}
__global__ void crc32_lines(const unsigned char* text, const int* starts, unsigned* crc, int lines) {
  const int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= lines) return;
  unsigned value = ~0u;
  for (int i = starts[line]; i < starts[line + 1]; ++i) value = crc_byte(value, text[i]);
  crc[line] = ~value;
}

// SHA-256 of messages of 55 bytes at most, a thread each; constants in constant memory, words in local memory.
__constant__ unsigned kRounds[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01,
    0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc,
    0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08,
    0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
__device__ __forceinline__ unsigned rotated(unsigned v, int by) { return __funnelshift_r(v, v, by); }
__global__ void sha256(const unsigned char* text, const int* starts, unsigned* digests, int lines) {
  const int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= lines) return;
  unsigned w[64] = {};
  const int length = starts[line + 1] - starts[line];
  for (int i = 0; i <= length; ++i) w[i / 4] |= (i < length ? text[starts[line] + i] : 0x80u) << (24 - i % 4 * 8);
  w[15] = length * 8;
  for (int i = 16; i < 64; ++i) {
    const unsigned a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + w[i - 7] + (rotated(a, 7) ^ rotated(a, 18) ^ a >> 3) + (rotated(b, 17) ^ rotated(b, 19) ^ b >> 10);
  }
  const unsigned first[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  unsigned s[8];
  for (int i = 0; i < 8; ++i) s[i] = first[i];
  for (int i = 0; i < 64; ++i) {
    const unsigned e = s[4], a = s[0];
    const unsigned t1 = s[7] + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & s[5]) ^ (~e & s[6])) + kRounds[i] + w[i];
    const unsigned t2 = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
    for (int j = 7; j > 0; --j) s[j] = s[j - 1];
    s[4] += t1;
    s[0] = t1 + t2;
  }
  for (int i = 0; i < 8; ++i) digests[line * 8 + i] = s[i] + first[i];
}
