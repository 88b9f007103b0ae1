#include "harness/emulator/approx_ops.hpp"
#include "harness/emulator/arith_f32.hpp"
#include "harness/emulator/arith_f64.hpp"
#include "harness/emulator/arith_half.hpp"
#include "harness/emulator/decode_table.hpp"
#include "harness/emulator/lane_loops.hpp"

// Reciprocals, roots and transcendental functions: approximate ones and those of an exact rounding.
namespace kgen::emulator {
namespace {

void emit_unary(FunctionDecoder& d, Handler run) {
  if (run == nullptr) throw NotEmulated{};
  const auto bytes = static_cast<U32>(d.type().bytes);
  Instr instr = d.instr(run);
  instr.a = d.source(1, bytes);
  instr.d = d.target(0, bytes);
  d.emit(instr);
}

bool is(const FunctionDecoder& d, std::string_view type) {
  return d.type().name == type;
}

void decode_ex2(FunctionDecoder& d) {
  Handler run = nullptr;
  if (is(d, "f32")) run = unary<U32, U32>([](U32 a, const Modifiers& m) { return ex2_approx_f32(a, m.ftz); });
  if (is(d, "f16"))
    run = unary<U16, U16>(
        [](U16 a, const Modifiers& m) { return static_cast<U16>(ex2_approx_half(kF16, a, m.ftz)); });
  if (is(d, "bf16"))
    run = unary<U16, U16>(
        [](U16 a, const Modifiers& m) { return static_cast<U16>(ex2_approx_half(kBf16, a, m.ftz)); });
  if (is(d, "f16x2"))
    run = unary<U32, U32>([](U32 a, const Modifiers& m) {
      return on_pair([&](U32 x) { return ex2_approx_half(kF16, x, m.ftz); }, a);
    });
  if (is(d, "bf16x2"))
    run = unary<U32, U32>([](U32 a, const Modifiers& m) {
      return on_pair([&](U32 x) { return ex2_approx_half(kBf16, x, m.ftz); }, a);
    });
  emit_unary(d, run);
}

void decode_tanh(FunctionDecoder& d) {
  Handler run = nullptr;
  if (is(d, "f32")) run = unary<U32, U32>([](U32 a, const Modifiers&) { return tanh_approx_f32(a); });
  if (is(d, "f16"))
    run =
        unary<U16, U16>([](U16 a, const Modifiers&) { return static_cast<U16>(tanh_approx_half(kF16, a)); });
  if (is(d, "bf16"))
    run =
        unary<U16, U16>([](U16 a, const Modifiers&) { return static_cast<U16>(tanh_approx_half(kBf16, a)); });
  if (is(d, "f16x2"))
    run = unary<U32, U32>(
        [](U32 a, const Modifiers&) { return on_pair([](U32 x) { return tanh_approx_half(kF16, x); }, a); });
  if (is(d, "bf16x2"))
    run = unary<U32, U32>(
        [](U32 a, const Modifiers&) { return on_pair([](U32 x) { return tanh_approx_half(kBf16, x); }, a); });
  emit_unary(d, run);
}

void decode_lg2(FunctionDecoder& d) {
  emit_unary(d, is(d, "f32")
                    ? unary<U32, U32>([](U32 a, const Modifiers& m) { return lg2_approx_f32(a, m.ftz); })
                    : nullptr);
}
void decode_sin(FunctionDecoder& d) {
  emit_unary(d, is(d, "f32")
                    ? unary<U32, U32>([](U32 a, const Modifiers& m) { return sin_approx_f32(a, m.ftz); })
                    : nullptr);
}
void decode_cos(FunctionDecoder& d) {
  emit_unary(d, is(d, "f32")
                    ? unary<U32, U32>([](U32 a, const Modifiers& m) { return cos_approx_f32(a, m.ftz); })
                    : nullptr);
}

void decode_rcp(FunctionDecoder& d) {
  const bool approx = d.has("approx");
  Handler run = nullptr;
  if (is(d, "f32") && approx)
    run = unary<U32, U32>([](U32 a, const Modifiers& m) { return rcp_approx_f32(a, m.ftz); });
  if (is(d, "f32") && !approx)
    run = unary<U32, U32>([](U32 a, const Modifiers& m) { return rcp_f32(a, m.rounding, m.ftz); });
  if (is(d, "f64") && approx)
    run = unary<U64, U64>([](U64 a, const Modifiers&) { return rcp_approx_f64(a); });
  if (is(d, "f64") && !approx)
    run = unary<U64, U64>([](U64 a, const Modifiers& m) { return rcp_f64(a, m.rounding); });
  emit_unary(d, run);
}

void decode_sqrt(FunctionDecoder& d) {
  Handler run = nullptr;
  if (is(d, "f32") && d.has("approx"))
    run = unary<U32, U32>([](U32 a, const Modifiers& m) { return sqrt_approx_f32(a, m.ftz); });
  if (is(d, "f32") && !d.has("approx"))
    run = unary<U32, U32>([](U32 a, const Modifiers& m) { return sqrt_f32(a, m.rounding, m.ftz); });
  if (is(d, "f64")) run = unary<U64, U64>([](U64 a, const Modifiers& m) { return sqrt_f64(a, m.rounding); });
  emit_unary(d, run);
}

void decode_rsqrt(FunctionDecoder& d) {
  Handler run = nullptr;
  if (is(d, "f32"))
    run = unary<U32, U32>([](U32 a, const Modifiers& m) { return rsqrt_approx_f32(a, m.ftz); });
  if (is(d, "f64"))
    run = unary<U64, U64>([](U64 a, const Modifiers& m) { return rsqrt_approx_f64(a, m.ftz); });
  emit_unary(d, run);
}

constexpr DecoderRow kApproxRows[] = {
    {"ex2", decode_ex2}, {"tanh", decode_tanh}, {"lg2", decode_lg2},   {"sin", decode_sin},
    {"cos", decode_cos}, {"rcp", decode_rcp},   {"sqrt", decode_sqrt}, {"rsqrt", decode_rsqrt},
};

}  // namespace

DecoderTable approx_decoders() {
  return {std::begin(kApproxRows), std::end(kApproxRows)};
}

}  // namespace kgen::emulator
