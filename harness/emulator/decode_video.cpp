#include <algorithm>

#include "harness/emulator/decode_table.hpp"
#include "harness/emulator/lane_loops.hpp"
#include "harness/emulator/video_ops.hpp"

// Scalar and SIMD video instructions. Their operands choose parts of a register: "%r1.h0", "%r2.b7654".
namespace kgen::emulator {
namespace {

struct Selected {
  ptx::Operand operand;  ///< the register alone
  std::string part;      ///< "h0"; empty: the default
  bool minus = false;
};

/// Splits the part off a register's name. A name of a register may not have a dot of its own here.
Selected split(const ptx::Operand& operand) {
  Selected out{operand, "", operand.minus};
  out.operand.minus = false;
  const std::size_t dot = operand.text.rfind('.');
  if (operand.kind != ptx::Operand::Kind::name || dot == std::string::npos) return out;
  out.part = operand.text.substr(dot + 1);
  out.operand.text.resize(dot);
  return out;
}

Part part_named(const std::string& name) {
  constexpr const char* names[] = {"b0", "b1", "b2", "b3", "h0", "h1"};
  if (name.empty()) return Part::word;
  const auto* const found = std::find(std::begin(names), std::end(names), name);
  if (found == std::end(names)) throw NotEmulated{};
  return static_cast<Part>(found - std::begin(names));
}

/// Signedness of each .u32 or .s32 among the suffixes, in order.
std::vector<bool> signs_of(const FunctionDecoder& d) {
  std::vector<bool> signs;
  for (const std::string& part : d.ast().opcode) {
    if (part == "s32" || part == "u32") signs.push_back(part == "s32");
  }
  return signs;
}

struct NamedOp {
  std::string_view name;
  VideoOp op;
};
VideoOp op_named(std::string_view name) {
  constexpr NamedOp kVideoOps[] = {
      {"vadd", VideoOp::add}, {"vsub", VideoOp::sub}, {"vabsdiff", VideoOp::absdiff},
      {"vmin", VideoOp::min}, {"vmax", VideoOp::max}, {"vavrg", VideoOp::avrg},
      {"vshl", VideoOp::shl}, {"vshr", VideoOp::shr}, {"vset", VideoOp::set}};
  for (const NamedOp& row : kVideoOps) {
    if (row.name == name) return row.op;
  }
  throw NotEmulated{};
}

Compare compare_of(const FunctionDecoder& d) {
  constexpr const char* names[] = {"eq", "ne", "lt", "le", "gt", "ge"};
  for (std::size_t i = 0; i < std::size(names); ++i) {
    if (d.has(names[i])) return static_cast<Compare>(i);
  }
  throw NotEmulated{};
}

/// Emits a form with its operands: d, a, b and, where there is a fourth, c.
template <class Form, std::uint32_t (*run)(const Form&, std::uint32_t, std::uint32_t, std::uint32_t)>
void emit(FunctionDecoder& d, const Form& form) {
  Instr instr = d.instr([](Warp& warp, const Instr& in, U32 mask) {
    const Form& of = std::get<Form>(warp.program->video_forms[static_cast<std::size_t>(in.imm)]);
    const U32* const c = in.c == kNoSlot ? warp.at<U32>(in.a) : warp.at<U32>(in.c);  // a: read and not used
    for_lanes(mask, [&](U32 lane) {
      warp.at<U32>(in.d)[lane] = run(of, warp.at<U32>(in.a)[lane], warp.at<U32>(in.b)[lane], c[lane]);
    });
  });
  instr.a = d.source(split(d.operand(1)).operand, 4);
  instr.b = d.source(split(d.operand(2)).operand, 4);
  if (d.operands() > 3) instr.c = d.source(split(d.operand(3)).operand, 4);
  instr.d = d.target(split(d.operand(0)).operand, 4);
  instr.imm = static_cast<I64>(d.shared().program.video_forms.size());
  d.shared().program.video_forms.emplace_back(form);
  d.emit(instr);
}

/// Whether .sat does here what was found on a GPU (docs/emulator-arithmetic.md); elsewhere it does not follow
/// the ISA's text, nor any rule that is known.
bool known_saturation(const ScalarVideo& form) {
  if (form.op == VideoOp::shl || form.op == VideoOp::shr) return false;
  if (form.result_part == Part::word || form.op == VideoOp::set) return true;
  const bool to_half = form.result_part == Part::h0 || form.result_part == Part::h1;
  return !to_half && form.a_part != Part::word && form.b_part != Part::word;
}

/// The same of vmad's .sat and its scales: known together, on parts with a sign.
bool known_scaling(const VideoMad& form) {
  if (!form.sat && form.shift == 0) return true;
  const bool parts = form.a_part != Part::word && form.b_part != Part::word;
  return form.sat && form.shift == 15 && form.a_signed && form.b_signed && parts;
}

void decode_scalar(FunctionDecoder& d) {
  ScalarVideo form;
  form.op = op_named(d.ast().opcode.front());
  const std::vector<bool> signs = signs_of(d);
  const bool is_set = form.op == VideoOp::set;
  if (signs.size() != (is_set ? 2u : 3u)) throw NotEmulated{};
  form.result_signed = !is_set && signs[0];
  form.a_signed = signs[signs.size() - 2];
  form.b_signed = signs.back();
  if (is_set) form.compare = compare_of(d);
  form.result_part = part_named(split(d.operand(0)).part);
  form.a_part = part_named(split(d.operand(1)).part);
  form.b_part = part_named(split(d.operand(2)).part);
  form.sat = d.has("sat");
  form.wrap = d.has("wrap");
  form.second = d.has("add")   ? SecondOp::add
                : d.has("min") ? SecondOp::min
                : d.has("max") ? SecondOp::max
                               : SecondOp::none;
  if (form.result_part != Part::word) form.second = SecondOp::merge;
  if (form.second != SecondOp::none && d.operands() < 4) d.bad("a fourth operand is missing");
  if (form.sat && !known_saturation(form)) throw NotEmulated{};
  emit<ScalarVideo, scalar_video>(d, form);
}

void decode_video_mad(FunctionDecoder& d) {
  const std::vector<bool> signs = signs_of(d);
  if (signs.size() != 3 || d.operands() != 4) throw NotEmulated{};
  const Selected a = split(d.operand(1));
  const Selected b = split(d.operand(2));
  VideoMad form;
  form.a_signed = signs[1];
  form.b_signed = signs[2];
  form.a_part = part_named(a.part);
  form.b_part = part_named(b.part);
  form.negate_product = a.minus != b.minus;
  form.negate_c = split(d.operand(3)).minus;
  form.plus_one = d.has("po");
  form.shift = d.has("shr7") ? 7 : d.has("shr15") ? 15 : 0;
  form.sat = d.has("sat");
  if (!known_scaling(form)) throw NotEmulated{};
  emit<VideoMad, video_mad>(d, form);
}

/// The digits of "b7140", the last one for lane 0, as nibbles; `otherwise` where there is no part.
std::uint32_t digits_of(const std::string& part, int lanes, std::uint32_t otherwise) {
  if (part.empty()) return otherwise;
  if (part.size() != static_cast<std::size_t>(lanes) + 1) throw NotEmulated{};
  std::uint32_t nibbles = 0;
  for (const char digit : part.substr(1)) {
    if (digit < '0' || digit >= '0' + 2 * lanes) throw NotEmulated{};
    nibbles = nibbles << 4 | static_cast<std::uint32_t>(digit - '0');
  }
  return nibbles;
}

std::uint32_t mask_of(const std::string& part, int lanes) {
  if (part.empty()) return (1u << lanes) - 1;
  std::uint32_t mask = 0;
  for (const char digit : part.substr(1)) {
    if (digit < '0' || digit >= '0' + lanes) throw NotEmulated{};
    mask |= 1u << (digit - '0');
  }
  return mask;
}

void decode_simd(FunctionDecoder& d) {
  const std::string& name = d.ast().opcode.front();
  SimdVideo form;
  form.lanes = name.back() - '0';
  form.op = op_named(std::string_view(name).substr(0, name.size() - 1));
  const std::vector<bool> signs = signs_of(d);
  const bool is_set = form.op == VideoOp::set;
  if (signs.size() != (is_set ? 2u : 3u) || d.operands() != 4) throw NotEmulated{};
  form.result_signed = !is_set && signs[0];
  form.a_signed = signs[signs.size() - 2];
  form.b_signed = signs.back();
  if (is_set) form.compare = compare_of(d);
  form.sat = d.has("sat");
  form.accumulate = d.has("add");
  form.mask = mask_of(split(d.operand(0)).part, form.lanes);
  form.a_select = digits_of(split(d.operand(1)).part, form.lanes, form.lanes == 2 ? 0x10 : 0x3210);
  form.b_select = digits_of(split(d.operand(2)).part, form.lanes, form.lanes == 2 ? 0x32 : 0x7654);
  emit<SimdVideo, simd_video>(d, form);
}

}  // namespace

DecoderTable video_decoders() {
  static constexpr DecoderRow kVideoRows[] = {
      {"vadd", decode_scalar}, {"vsub", decode_scalar},    {"vabsdiff", decode_scalar},
      {"vmin", decode_scalar}, {"vmax", decode_scalar},    {"vshl", decode_scalar},
      {"vshr", decode_scalar}, {"vset", decode_scalar},    {"vmad", decode_video_mad},
      {"vadd2", decode_simd},  {"vsub2", decode_simd},     {"vavrg2", decode_simd},
      {"vmin2", decode_simd},  {"vmax2", decode_simd},     {"vabsdiff2", decode_simd},
      {"vset2", decode_simd},  {"vadd4", decode_simd},     {"vsub4", decode_simd},
      {"vavrg4", decode_simd}, {"vabsdiff4", decode_simd}, {"vmin4", decode_simd},
      {"vmax4", decode_simd},  {"vset4", decode_simd}};
  return {std::begin(kVideoRows), std::end(kVideoRows)};
}

}  // namespace kgen::emulator
