#include "harness/emulator/mma_multiply.hpp"

#include <cstring>

#include "harness/emulator/host_cpu.hpp"

namespace kgen::emulator {
namespace {

/// As many elements as 32 bytes hold.
template <typename Element>
struct Vector {
  static constexpr int kColumns = 32 / static_cast<int>(sizeof(Element));
  using Type __attribute__((vector_size(32))) = Element;
};

/// Eight rows and one vector of columns at once: the sums stay in registers, and there are enough of them to
/// hide latency. Written with vectors, as g++ 12 left to itself vectorises across the rows.
template <typename Element>
inline __attribute__((always_inline)) void multiply(int m, int n, int k, const Element* a, const Element* b,
                                                    Element* c) {
  using Columns = typename Vector<Element>::Type;
  constexpr int rows = 8;
  for (int j = 0; j < n; j += Vector<Element>::kColumns) {
    for (int i = 0; i < m; i += rows) {
      Columns sums[rows];
      for (int r = 0; r < rows; ++r) std::memcpy(&sums[r], c + (i + r) * n + j, sizeof(Columns));
      for (int kk = 0; kk < k; ++kk) {
        Columns row;
        std::memcpy(&row, b + kk * n + j, sizeof(Columns));
        for (int r = 0; r < rows; ++r) sums[r] += a[(i + r) * k + kk] * row;
      }
      for (int r = 0; r < rows; ++r) std::memcpy(c + (i + r) * n + j, &sums[r], sizeof(Columns));
    }
  }
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) void multiply_avx2(const MmaForm& f, const double* a, const double* b,
                                                   double* c) {
  multiply(f.m, f.n, f.k, a, b, c);
}
__attribute__((target("avx2"))) void multiply_avx2(const MmaForm& f, const std::int32_t* a,
                                                   const std::int32_t* b, std::int32_t* c) {
  multiply(f.m, f.n, f.k, a, b, c);
}
#else
template <typename Element>
void multiply_avx2(const MmaForm& f, const Element* a, const Element* b, Element* c) {
  multiply(f.m, f.n, f.k, a, b, c);
}
#endif

}  // namespace

void multiply_exact(const MmaForm& form, const double* a, const double* b, double* c) {
  if (has_avx2()) return multiply_avx2(form, a, b, c);
  multiply(form.m, form.n, form.k, a, b, c);
}

void multiply_exact(const MmaForm& form, const std::int32_t* a, const std::int32_t* b, std::int32_t* c) {
  if (has_avx2()) return multiply_avx2(form, a, b, c);
  multiply(form.m, form.n, form.k, a, b, c);
}

}  // namespace kgen::emulator
