#include <bit>
#include <cstdio>
#include <cstring>

#include "harness/emulator/access.hpp"
#include "harness/emulator/block.hpp"
#include "harness/emulator/decode_table.hpp"
#include "harness/emulator/launch.hpp"
#include "harness/emulator/memory_operand.hpp"
#include "harness/emulator/mma_run.hpp"
#include "harness/emulator/scalar_names.hpp"

// Matrices of a warp: ldmatrix, stmatrix, movmatrix, mma and wmma (PTX ISA, "Warp Level Matrix
// Instructions"). Fragment layouts and arithmetic are in mma_layout and mma_run.
namespace kgen::emulator {
namespace {

using ptx::Operand;
using ptx::Type;

/// Every lane takes part: the instruction waits for all that live, and stops where some are missing.
Instr whole_warp(FunctionDecoder& d, Handler run) {
  Instr instr = d.instr(run);
  instr.flow = Flow::warp_sync;
  instr.c = d.shared().constant(kAllLanes, 4);
  return instr;
}

void need_all_lanes(const Warp& warp, U32 mask) {
  if (mask == kAllLanes) return;
  stop_at(
      warp, first_lane(mask), Diagnosis::Kind::bad_sync, "incomplete_warp",
      "a matrix instruction of the whole warp with " + std::to_string(std::popcount(mask)) + " of 32 lanes");
}

U32 append(FunctionDecoder& d, const Operand& operand, U32 bytes, bool writes) {
  Instr list;
  if (writes) {
    d.target_list(operand, bytes, false, list);
  } else {
    d.source_list(operand, bytes, list);
  }
  return list.count;
}

U32 list_begin(FunctionDecoder& d) {
  return static_cast<U32>(d.shared().program.slots.size());
}

/// Rows of 16 bytes whose addresses lanes 0-7, 8-15, ... give, matrix by matrix. `choice` 1: some may be rows
/// that nobody wrote.
template <bool kStores>
void run_rows(Warp& warp, const Instr& instr, U32 mask) {
  need_all_lanes(warp, mask);
  Addresses addresses;
  Places places;
  addresses_of(warp, instr, mask, addresses);
  const U32 rows = instr.count == 4 ? kAllLanes : (1u << (8 * instr.count)) - 1;
  Access access{static_cast<ptx::Space>(instr.space), 16, kStores ? Use::write : Use::read, false};
  access.may_be_unwritten = instr.choice != 0;
  LaneBytes values;
  if constexpr (!kStores) access_memory(warp, access, addresses, rows, places);
  for (U32 matrix = 0; matrix < instr.count; ++matrix) {
    U32* const registers = warp.at<U32>(warp.program->slots[instr.list + matrix]);
    for (U32 lane = 0; lane < kLanes; ++lane) {
      U32 value = kStores ? registers[lane] : 0;
      for (int half = 0; half < 2; ++half) {
        const MatrixElement at = ldmatrix_element(static_cast<int>(lane), half, instr.flag_returns);
        const U32 row = 8 * matrix + static_cast<U32>(at.row);
        const auto column = static_cast<std::size_t>(at.column) * 2;
        auto* const part = reinterpret_cast<std::byte*>(&value) + half * 2;
        if constexpr (kStores) {
          std::memcpy(values.of[row] + column, part, 2);
        } else {
          std::memcpy(part, places[row] + column, 2);
        }
      }
      if constexpr (!kStores) registers[lane] = value;
    }
  }
  if constexpr (kStores) access_memory(warp, access, addresses, rows, places, values);
}

void decode_rows(FunctionDecoder& d) {
  const bool stores = d.ast().opcode.front() == "stmatrix";
  if (!d.has("m8n8") || d.type().name != "b16") throw NotEmulated{};
  Instr instr = whole_warp(d, stores ? run_rows<true> : run_rows<false>);
  d.address(d.operand(stores ? 0 : 1), memory_space(d), instr);
  instr.flag_returns = d.has("trans");
  // Tiles are often filled up to the tensor's edge alone, and what is past it meets sums that nobody stores.
  // Block::begin() made it a NaN of every floating-point type: where it is used after all, the result shows
  // it.
  instr.choice = !stores && !d.shared().multiplies_integers ? 1 : 0;
  if (stores) {
    d.source_list(d.operand(1), 4, instr);
  } else {
    d.target_list(d.operand(0), 4, false, instr);
  }
  if (instr.count != 1 && instr.count != 2 && instr.count != 4) throw NotEmulated{};
  d.emit(instr);
}

void decode_transpose(FunctionDecoder& d) {
  Instr instr = whole_warp(d, [](Warp& warp, const Instr& in, U32 mask) {
    need_all_lanes(warp, mask);
    U32 from[kLanes];
    std::memcpy(from, warp.at<U32>(in.a), sizeof from);
    transpose_matrix(from, warp.at<U32>(in.d));
  });
  instr.a = d.source(1, 4);
  instr.d = d.target(0, 4);
  d.emit(instr);
}

template <class T, class R>
void multiply(Warp& warp, const Instr& instr, const MmaPlan& plan, R run) {
  const U32* slot = &warp.program->slots[instr.list];
  T* registers[4][64];
  std::size_t counts[4];
  const MatrixPart parts[4] = {MatrixPart::d, MatrixPart::a, MatrixPart::b, MatrixPart::c};
  for (std::size_t part = 0; part < 4; ++part) {
    counts[part] = static_cast<std::size_t>(fragment_registers(plan.form, parts[part]));
    for (std::size_t i = 0; i < counts[part]; ++i) registers[part][i] = warp.at<T>(*slot++);
  }
  const auto sources = [&](std::size_t part) {
    return std::span<const T* const>(registers[part], counts[part]);
  };
  run(plan, sources(1), sources(2), sources(3), std::span<T* const>(registers[0], counts[0]));
}

void run_multiply(Warp& warp, const Instr& instr, U32 mask) {
  need_all_lanes(warp, mask);
  const MmaPlan& plan = warp.program->mma_plans[static_cast<std::size_t>(instr.imm)];
  if (plan.form.d == ScalarType::f64) {
    multiply<U64>(warp, instr, plan, run_mma_f64);
  } else {
    multiply<U32>(warp, instr, plan, run_mma);
  }
}

/// "m16n8k16" among the suffixes.
void read_shape(const FunctionDecoder& d, MmaForm& form) {
  for (const std::string& part : d.ast().opcode) {
    if (std::sscanf(part.c_str(), "m%dn%dk%d", &form.m, &form.n, &form.k) == 3) return;
  }
  throw NotEmulated{};
}

ScalarType scalar_at(const FunctionDecoder& d, std::size_t index) {
  const auto type = scalar_of(d.type(index).name);
  if (!type) throw NotEmulated{};
  return *type;
}

void emit_multiply(FunctionDecoder& d, const MmaForm& form) {
  if (!mma_supported(form)) throw NotEmulated{};
  Instr instr = whole_warp(d, run_multiply);
  const U32 bytes = form.d == ScalarType::f64 ? 8 : 4;
  instr.list = list_begin(d);
  const MatrixPart parts[4] = {MatrixPart::d, MatrixPart::a, MatrixPart::b, MatrixPart::c};
  // Operands that need a register of their own first append to the code, never to the list.
  for (std::size_t i = 0; i < 4; ++i) {
    if (append(d, d.operand(i), bytes, i == 0) != static_cast<U32>(fragment_registers(form, parts[i])))
      d.bad("a fragment of another number of registers in " + d.ast().name());
  }
  instr.imm = static_cast<I64>(d.shared().program.mma_plans.size());
  d.shared().program.mma_plans.push_back(plan_mma(form));
  d.emit(instr);
}

void decode_mma(FunctionDecoder& d) {
  for (const std::string& part : d.ast().opcode) {
    if (part.find("::") != std::string::npos || part == "sp" || part == "popc" || part == "xor")
      throw NotEmulated{};
  }
  if (!d.has("row") || !d.has("col")) throw NotEmulated{};
  MmaForm form;
  read_shape(d, form);
  form.d = scalar_at(d, 0);
  form.a = scalar_at(d, 1);
  form.b = scalar_at(d, 2);
  form.c = scalar_at(d, 3);
  form.satfinite = d.has("satfinite");
  emit_multiply(d, form);
}

/// The form whose fragments a wmma.load or wmma.store of one type has.
MmaForm wmma_form(const FunctionDecoder& d, ScalarType type) {
  MmaForm form;
  form.wmma = true;
  read_shape(d, form);
  const bool is_sum = d.has("c") || d.has("d");
  if (!is_sum) form.a = form.b = type;
  if (is_sum) form.c = form.d = type;
  if (!is_sum && (type == ScalarType::s8 || type == ScalarType::u8)) form.c = form.d = ScalarType::s32;
  if (is_sum && type == ScalarType::s32) form.a = form.b = ScalarType::s8;
  if (is_sum && form.k == 8) form.a = form.b = ScalarType::tf32;
  if (type == ScalarType::f64) form.a = form.b = form.c = form.d = ScalarType::f64;
  if (!mma_supported(form)) throw NotEmulated{};
  return form;
}

const FragmentIndex& index_of(const MmaPlan& plan, MatrixPart part) {
  if (part == MatrixPart::a) return plan.a;
  if (part == MatrixPart::b) return plan.b;
  return part == MatrixPart::c ? plan.c : plan.d;
}

/// One value of a fragment for every lane: read from memory or written to it.
template <bool kStores>
void run_fragment(Warp& warp, const Instr& instr, U32 mask) {
  need_all_lanes(warp, mask);
  const MmaPlan& plan = warp.program->mma_plans[static_cast<std::size_t>(instr.reconverge)];
  const auto part = static_cast<MatrixPart>(instr.choice);
  const int values = values_per_register(plan.form, part);
  const std::uint16_t* const index = index_of(plan, part).data();
  const U32 columns = static_cast<U32>(part == MatrixPart::a ? plan.form.k : plan.form.n);  // a power of two
  const int to_row = std::countr_zero(columns);
  Addresses base, addresses;
  Places places;
  LaneBytes bytes;
  addresses_of(warp, instr, mask, base);
  const Access access{static_cast<ptx::Space>(instr.space), instr.bytes, kStores ? Use::write : Use::read,
                      false};
  const bool is_wide = plan.form.d == ScalarType::f64;
  for (int reg = 0; reg < instr.count; ++reg) {
    const U32 slot = warp.program->slots[instr.list + static_cast<U32>(reg)];
    U64 whole[kLanes] = {};
    for (U32 lane = 0; lane < kLanes && kStores; ++lane)
      whole[lane] = is_wide ? warp.at<U64>(slot)[lane] : warp.at<U32>(slot)[lane];
    for (int value = 0; value < values; ++value) {
      const U32 shift = static_cast<U32>(value) * instr.bytes * 8;
      for (U32 lane = 0; lane < kLanes; ++lane) {
        const long long stride = instr.b == kNoSlot ? (instr.flag_returns ? plan.form.n : plan.form.m)
                                                    : warp.at<I32>(instr.b)[lane];
        const U32 place = index[(static_cast<U32>(reg) * kLanes + lane) * static_cast<U32>(values) +
                                static_cast<U32>(value)];
        const MatrixElement at{static_cast<int>(place >> to_row), static_cast<int>(place & (columns - 1))};
        addresses[lane] =
            base[lane] + static_cast<U64>(matrix_offset(at, instr.flag_returns, stride)) * instr.bytes;
        const U64 piece = whole[lane] >> shift;
        std::memcpy(bytes.of[lane], &piece, 8);
      }
      access_memory(warp, access, addresses, mask, places, kStores ? Values(bytes) : Values());
      for (U32 lane = 0; lane < kLanes && !kStores; ++lane) {
        U64 piece = 0;
        std::memcpy(&piece, places[lane], instr.bytes);
        whole[lane] |= piece << shift;
      }
    }
    for (U32 lane = 0; lane < kLanes && !kStores; ++lane) {
      if (is_wide) {
        warp.at<U64>(slot)[lane] = whole[lane];
      } else {
        warp.at<U32>(slot)[lane] = static_cast<U32>(whole[lane]);
      }
    }
  }
}

void decode_fragment(FunctionDecoder& d, bool stores) {
  const Type type = d.type();
  const auto scalar = scalar_of(type.name);
  if (!scalar || type.bytes == 0) throw NotEmulated{};
  const MmaForm form = wmma_form(d, *scalar);
  const MatrixPart part = d.has("a")   ? MatrixPart::a
                          : d.has("b") ? MatrixPart::b
                          : stores     ? MatrixPart::d
                                       : MatrixPart::c;
  Instr instr = whole_warp(d, stores ? run_fragment<true> : run_fragment<false>);
  instr.choice = static_cast<U8>(part);
  instr.bytes = static_cast<U8>(type.bytes);
  instr.flag_returns = d.has("row");
  d.address(d.operand(stores ? 0 : 1), memory_space(d), instr);
  if (d.operands() > 2) instr.b = d.source(2, 4);
  const U32 bytes = form.d == ScalarType::f64 ? 8 : 4;
  if (stores) {
    d.source_list(d.operand(1), bytes, instr);
  } else {
    d.target_list(d.operand(0), bytes, false, instr);
  }
  if (instr.count != fragment_registers(form, part))
    d.bad("a fragment of another number of registers in " + d.ast().name());
  instr.reconverge = static_cast<U32>(d.shared().program.mma_plans.size());
  d.shared().program.mma_plans.push_back(plan_mma(form));
  d.emit(instr);
}

void decode_wmma(FunctionDecoder& d) {
  if (d.has("load")) return decode_fragment(d, false);
  if (d.has("store")) return decode_fragment(d, true);
  if (!d.has("mma")) throw NotEmulated{};
  MmaForm form;
  form.wmma = true;
  read_shape(d, form);
  form.d = scalar_at(d, 0);
  const std::size_t types = d.types();
  form.c = scalar_at(d, types - 1);
  form.a = types == 4 ? scalar_at(d, 1) : ScalarType::f16;
  form.b = types == 4 ? scalar_at(d, 2) : ScalarType::f16;
  form.satfinite = d.has("satfinite");
  emit_multiply(d, form);
}

constexpr DecoderRow kMatrixRows[] = {{"ldmatrix", decode_rows},
                                      {"stmatrix", decode_rows},
                                      {"movmatrix", decode_transpose},
                                      {"mma", decode_mma},
                                      {"wmma", decode_wmma}};

}  // namespace

DecoderTable matrix_decoders() {
  return {std::begin(kMatrixRows), std::end(kMatrixRows)};
}

}  // namespace kgen::emulator
