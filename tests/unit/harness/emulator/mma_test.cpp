#include <gtest/gtest.h>

#include <map>

#include "harness/emulator/arith_f32.hpp"
#include "harness/emulator/arith_f64.hpp"
#include "harness/emulator/arith_half.hpp"
#include "harness/emulator/convert_scalar.hpp"
#include "harness/emulator/mma_run.hpp"
#include "support/operand_source.hpp"

namespace kgen::emulator {
namespace {

using enum ScalarType;

std::vector<MmaForm> all_forms() {
  std::vector<MmaForm> forms;
  const auto sync = [&](int m, int n, int k, ScalarType ab, ScalarType cd) {
    forms.push_back({m, n, k, ab, ab, cd, cd});
  };
  for (const int k : {8, 16}) {
    sync(16, 8, k, f16, f32);
    sync(16, 8, k, f16, f16);
    sync(16, 8, k, bf16, f32);
    sync(16, 8, k / 2, tf32, f32);
    sync(16, 8, k, f64, f64);
    sync(16, 8, 2 * k, s8, s32);
    sync(16, 8, 2 * k, u8, s32);
    sync(16, 8, 2 * k, e4m3, f32);
    sync(16, 8, 2 * k, e5m2, f32);
  }
  sync(8, 8, 4, f64, f64);
  sync(16, 8, 4, f64, f64);
  sync(8, 8, 16, s8, s32);
  const auto wmma = [&](int m, int n, int k, ScalarType ab, ScalarType cd) {
    forms.push_back({m, n, k, ab, ab, cd, cd, false, true});
  };
  for (const auto& [m, n] : {std::pair{16, 16}, std::pair{32, 8}, std::pair{8, 32}}) {
    wmma(m, n, 16, f16, f32);
    wmma(m, n, 16, f16, f16);
    wmma(m, n, 16, bf16, f32);
    wmma(m, n, 16, s8, s32);
    wmma(m, n, 16, u8, s32);
  }
  wmma(16, 16, 8, tf32, f32);
  wmma(8, 8, 4, f64, f64);
  return forms;
}

TEST(MmaLayout, EveryElementLiesInTheFragmentEquallyOften) {
  for (const MmaForm& form : all_forms()) {
    ASSERT_TRUE(mma_supported(form)) << form.m << ' ' << form.n << ' ' << form.k << ' ' << int(form.a);
    for (const MatrixPart part : {MatrixPart::a, MatrixPart::b, MatrixPart::c, MatrixPart::d}) {
      const int rows = part == MatrixPart::b ? form.k : form.m;
      const int columns = part == MatrixPart::a ? form.k : form.n;
      std::map<std::pair<int, int>, int> seen;
      for (int reg = 0; reg < fragment_registers(form, part); ++reg) {
        for (int lane = 0; lane < 32; ++lane) {
          for (int value = 0; value < values_per_register(form, part); ++value) {
            const MatrixElement e = fragment_element(form, part, lane, reg, value);
            ASSERT_TRUE(e.row >= 0 && e.row < rows && e.column >= 0 && e.column < columns);
            ++seen[{e.row, e.column}];
          }
        }
      }
      ASSERT_EQ(seen.size(), static_cast<std::size_t>(rows * columns));
      for (const auto& [element, count] : seen) ASSERT_EQ(count, seen.begin()->second);
    }
  }
}

/// The formulas of the ISA's figures, by element number i of a lane's fragment.
TEST(MmaLayout, FollowsTheDocumentedFormulas) {
  const MmaForm halves{16, 8, 16, f16, f16, f32, f32};
  const MmaForm bytes{16, 8, 32, s8, s8, s32, s32};
  const MmaForm singles{16, 8, 8, tf32, tf32, f32, f32};
  for (int lane = 0; lane < 32; ++lane) {
    const int group = lane / 4;
    const int thread = lane % 4;
    for (int i = 0; i < 8; ++i) {
      const MatrixElement e = fragment_element(halves, MatrixPart::a, lane, i / 2, i % 2);
      EXPECT_EQ(e.row, (i < 2 || (i >= 4 && i < 6)) ? group : group + 8);
      EXPECT_EQ(e.column, thread * 2 + (i & 1) + (i >= 4 ? 8 : 0));
    }
    for (int i = 0; i < 4; ++i) {
      const MatrixElement b = fragment_element(halves, MatrixPart::b, lane, i / 2, i % 2);
      EXPECT_EQ(b.row, thread * 2 + (i & 1) + (i >= 2 ? 8 : 0));
      EXPECT_EQ(b.column, group);
      const MatrixElement c = fragment_element(halves, MatrixPart::c, lane, i, 0);
      EXPECT_EQ(c.row, i < 2 ? group : group + 8);
      EXPECT_EQ(c.column, thread * 2 + (i & 1));
      const MatrixElement single = fragment_element(singles, MatrixPart::a, lane, i, 0);
      EXPECT_EQ(single.row, i % 2 == 0 ? group : group + 8);
      EXPECT_EQ(single.column, i < 2 ? thread : thread + 4);
    }
    for (int i = 0; i < 16; ++i) {
      const MatrixElement e = fragment_element(bytes, MatrixPart::a, lane, i / 4, i % 4);
      EXPECT_EQ(e.row, (i < 4 || (i >= 8 && i < 12)) ? group : group + 8);
      EXPECT_EQ(e.column, thread * 4 + (i & 3) + (i >= 8 ? 16 : 0));
    }
  }
}

/// Registers of one fragment, filled at random, and its elements as doubles.
struct Fragment {
  std::vector<std::array<std::uint64_t, 32>> wide;
  std::vector<std::array<std::uint32_t, 32>> narrow;
  std::vector<double> dense;
};

std::uint64_t small_value(ScalarType type, support::OperandSource& source) {
  const int number = static_cast<int>(source.random() % 33) - 16;
  if (is_integer(type)) return static_cast<std::uint64_t>(number) & (type == u8 ? 0x7fu : 0xffu);
  return convert(type == tf32 ? f32 : type, s32, static_cast<std::uint32_t>(number), {});
}
double value_of(ScalarType type, std::uint64_t bits) {
  if (type == tf32) return float_of(static_cast<std::uint32_t>(bits));
  return double_of(convert(f64, type, bits, {}));
}

Fragment random_fragment(const MmaForm& form, MatrixPart part, ScalarType type,
                         support::OperandSource& source) {
  const int columns = part == MatrixPart::a ? form.k : form.n;
  const int rows = part == MatrixPart::b ? form.k : form.m;
  const int per = values_per_register(form, part);
  Fragment result;
  result.dense.resize(static_cast<std::size_t>(rows * columns));
  std::vector<std::uint64_t> bits(result.dense.size());
  for (std::size_t i = 0; i < bits.size(); ++i) {
    bits[i] = small_value(type, source);
    result.dense[i] = value_of(type, bits[i]);
  }
  for (int reg = 0; reg < fragment_registers(form, part); ++reg) {
    auto& lanes = result.wide.emplace_back();
    auto& low = result.narrow.emplace_back();
    for (int lane = 0; lane < 32; ++lane) {
      const auto at = static_cast<std::size_t>(lane);
      for (int value = 0; value < per; ++value) {
        const MatrixElement e = fragment_element(form, part, lane, reg, value);
        const std::uint64_t element = bits[static_cast<std::size_t>(e.row * columns + e.column)];
        lanes[at] = element;  // read for f64 alone: one value a register
        low[at] |= static_cast<std::uint32_t>(element << (32 / per * value));
      }
    }
  }
  return result;
}

template <typename Row>
auto pointers(std::vector<Row>& rows) {
  std::vector<decltype(rows[0].data())> result;
  for (Row& row : rows) result.push_back(row.data());
  return result;
}
template <typename T>
std::vector<const T*> readable(const std::vector<T*>& from) {
  return {from.begin(), from.end()};
}

/// Small whole numbers: every sum is exact in every type, so that the order cannot matter.
TEST(MmaRun, ProductsOfSmallIntegersAreExactInEveryForm) {
  support::OperandSource source(20);
  for (const MmaForm& form : all_forms()) {
    Fragment a = random_fragment(form, MatrixPart::a, form.a, source);
    Fragment b = random_fragment(form, MatrixPart::b, form.b, source);
    Fragment c = random_fragment(form, MatrixPart::c, form.c, source);
    const MmaPlan plan = plan_mma(form);
    if (form.a == f64) {
      auto c_rows = pointers(c.wide);
      run_mma_f64(plan, readable(pointers(a.wide)), readable(pointers(b.wide)), readable(c_rows), c_rows);
    } else {
      auto c_rows = pointers(c.narrow);
      run_mma(plan, readable(pointers(a.narrow)), readable(pointers(b.narrow)), readable(c_rows), c_rows);
    }
    for (int reg = 0; reg < fragment_registers(form, MatrixPart::d); ++reg) {
      for (int lane = 0; lane < 32; ++lane) {
        for (int value = 0; value < values_per_register(form, MatrixPart::d); ++value) {
          const MatrixElement e = fragment_element(form, MatrixPart::d, lane, reg, value);
          double expected = c.dense[static_cast<std::size_t>(e.row * form.n + e.column)];
          for (int k = 0; k < form.k; ++k) {
            expected += a.dense[static_cast<std::size_t>(e.row * form.k + k)] *
                        b.dense[static_cast<std::size_t>(k * form.n + e.column)];
          }
          const auto r = static_cast<std::size_t>(reg);
          const auto l = static_cast<std::size_t>(lane);
          const std::uint64_t bits = form.d == f64
                                         ? c.wide[r][l]
                                         : (c.narrow[r][l] >> (16 * value)) & (form.d == f16 ? 0xffffu : ~0u);
          ASSERT_EQ(value_of(form.d, bits), expected)
              << form.m << ' ' << form.n << ' ' << form.k << ' ' << int(form.a) << " wmma " << form.wmma
              << " at " << e.row << ' ' << e.column;
        }
      }
    }
  }
}

TEST(MmaRun, IntegerSumsWrapUnlessSatfinite) {
  MmaForm form{16, 8, 16, u8, u8, s32, s32};
  std::vector<std::array<std::uint32_t, 32>> a(2), b(1), c(4), d(4);
  for (auto& row : a) row.fill(0x01010101u);
  for (auto& row : b) row.fill(0x01010101u);
  for (auto& row : c) row.fill(0x7fffffffu);
  const auto run = [&] {
    run_mma(plan_mma(form), readable(pointers(a)), readable(pointers(b)), readable(pointers(c)), pointers(d));
    return d[3][31];
  };
  EXPECT_EQ(run(), 0x8000000fu);
  form.satfinite = true;
  EXPECT_EQ(run(), 0x7fffffffu);
}

TEST(MmaRun, Tf32IgnoresTheLowerBitsAndNanIsCanonical) {
  const MmaForm form{16, 8, 4, tf32, tf32, f32, f32};
  std::vector<std::array<std::uint32_t, 32>> a(2), b(1), c(4), d(4);
  for (auto& row : a) row.fill(0x3f801fffu);
  for (auto& row : b) row.fill(0x3f800000u);
  const auto run = [&] {
    run_mma(plan_mma(form), readable(pointers(a)), readable(pointers(b)), readable(pointers(c)), pointers(d));
    return d[0][0];
  };
  EXPECT_EQ(run(), 0x40800000u);
  c[0].fill(0x7fc00001u);
  EXPECT_EQ(run(), kNanF32);
}

TEST(MmaLayout, RefusesWhatItCannotCompute) {
  EXPECT_FALSE(mma_supported({8, 8, 4, f16, f16, f32, f32}));
  EXPECT_FALSE(mma_supported({16, 8, 64, s8, s8, s32, s32}));
  EXPECT_FALSE(mma_supported({16, 8, 16, bf16, bf16, f16, f16}));
  EXPECT_FALSE(mma_supported({16, 8, 16, f16, bf16, f32, f32}));
}

TEST(Movmatrix, TransposesTwice) {
  std::uint32_t a[32];
  for (std::uint32_t lane = 0; lane < 32; ++lane) a[lane] = (2 * lane + 1) << 16 | (2 * lane);
  std::uint32_t once[32];
  std::uint32_t twice[32];
  transpose_matrix(a, once);
  transpose_matrix(once, twice);
  EXPECT_EQ(once[0], 8u << 16);  // elements (0,0) and (1,0) of the transposed: (0,0), (0,1) of a's column
  EXPECT_EQ(once[31], 63u << 16 | 55u);  // column 7, rows 6 and 7
  for (int lane = 0; lane < 32; ++lane) EXPECT_EQ(twice[lane], a[lane]);
}

}  // namespace
}  // namespace kgen::emulator
