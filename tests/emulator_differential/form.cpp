#include "emulator_differential/form.hpp"

#include <cstring>
#include <sstream>
#include <stdexcept>

#include "harness/emulator/arith_f32.hpp"

namespace kgen::differential {
namespace {

constexpr int kSlot = 8;  ///< bytes of a scalar operand in memory

int register_bits(ScalarType type) {
  const int bits = emulator::bits_of(type);
  return bits <= 8 ? 32 : bits;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

std::string scalar_body(const std::string& ptx, const std::vector<ScalarType>& inputs, ScalarType output) {
  std::ostringstream body;
  std::string instruction = replaced(ptx, "$d", "%d");
  body << ".reg .pred %p, %q;\n.reg .b32 %t;\n.reg .b64 %u;\n.reg .b" << register_bits(output) << " %d;\n";
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const int bits = register_bits(inputs[i]);
    body << ".reg .b" << bits << " %a" << i << ";\nld.global.b" << bits << " %a" << i << ", [%in+"
         << kSlot * i << "];\n";
    instruction = replaced(instruction, "$" + std::to_string(i), "%a" + std::to_string(i));
  }
  body << instruction << "\nst.global.b" << register_bits(output) << " [%out], %d;\n";
  return body.str();
}

/// Two floats that make an operation interesting: nearly cancelling, or with a product about the smallest
/// normal number.
void relate(support::OperandSource& source, ScalarType type, Operands& operands) {
  const int mantissa = type == ScalarType::f64   ? 52
                       : type == ScalarType::f32 ? 23
                       : type == ScalarType::f16 ? 10
                                                 : 7;
  const int width = emulator::bits_of(type);
  const std::uint64_t sign = 1ull << (width - 1);
  const std::uint64_t exponents = (1ull << (width - 1 - mantissa)) - 1;
  const std::uint64_t bias = exponents / 2;
  const std::uint64_t field = (operands[0] >> mantissa) & exponents;
  switch (source.random() % 6) {
    case 0:
      operands[1] = (operands[0] ^ (source.random() % 2 != 0 ? sign : 0)) + source.random() % 3;
      operands[1] &= sign | (sign - 1);
      break;
    case 1:
      if (field > bias && field < exponents) {
        const std::uint64_t partner = 2 * bias + 1 - field - source.random() % 2;
        operands[1] = (operands[1] & ~(exponents << mantissa)) | (partner & exponents) << mantissa;
      }
      break;
    case 2:
      if (type == ScalarType::f32) {
        const auto product = emulator::mul_f32(static_cast<std::uint32_t>(operands[0]),
                                               static_cast<std::uint32_t>(operands[1]));
        operands[2] = (product ^ 0x80000000u) + static_cast<std::uint32_t>(source.random() % 3);
        operands[2] &= 0xffffffffu;
      }
      break;
    default:
      break;
  }
}

std::uint64_t load_slot(const std::byte* at, int bits) {
  std::uint64_t value = 0;
  std::memcpy(&value, at, static_cast<std::size_t>(bits / 8));
  return value;
}

}  // namespace

Form scalar_form(std::string name, std::string ptx, std::initializer_list<ScalarType> input_list,
                 ScalarType output, Agreement agreement,
                 std::function<std::uint64_t(const Operands&)> emulate) {
  const std::vector<ScalarType> inputs = input_list;
  if (ptx.empty()) {
    ptx = name + " $d";
    for (std::size_t i = 0; i < inputs.size(); ++i) ptx += ", $" + std::to_string(i);
    ptx += ";";
  }
  Form form;
  form.name = std::move(name);
  form.body = scalar_body(ptx, inputs, output);
  form.in_bytes = kSlot * static_cast<int>(inputs.size());
  form.out_bytes = register_bits(output) / 8;
  form.exhaustive =
      inputs.size() == 1 && emulator::bits_of(inputs[0]) == 16 && agreement.kind == Agreement::Kind::exact;
  form.fill = [inputs](support::OperandSource& source, std::byte* in) {
    Operands operands{};
    for (std::size_t i = 0; i < inputs.size(); ++i) operands[i] = source.next(inputs[i]);
    const bool related = inputs.size() > 1 && inputs[0] == inputs[1] && emulator::is_float(inputs[0]);
    if (related) relate(source, inputs[0], operands);
    std::memcpy(in, operands.data(), kSlot * inputs.size());
  };
  const int bits = register_bits(output);
  const auto read = [inputs](const std::byte* in) {
    Operands operands{};
    for (std::size_t i = 0; i < inputs.size(); ++i)
      operands[i] = load_slot(in + kSlot * i, register_bits(inputs[i]));
    return operands;
  };
  form.emulate = [=](const std::byte* in, std::byte* out) {
    const std::uint64_t result = emulate(read(in));
    std::memcpy(out, &result, static_cast<std::size_t>(bits / 8));
  };
  form.disagreement = [=, count = inputs.size()](const std::byte* in, const std::byte* expected,
                                                 const std::byte* got) {
    const std::uint64_t wanted = load_slot(expected, bits);
    const std::uint64_t result = load_slot(got, bits);
    if (agrees(agreement, output, wanted, result)) return std::string();
    std::ostringstream text;
    const Operands operands = read(in);
    text << std::hex << "operands";
    for (std::size_t i = 0; i < count; ++i) text << " 0x" << operands[i];
    text << ": device 0x" << wanted << ", emulator 0x" << result;
    return text.str();
  };
  return form;
}

std::vector<Theme> all_themes() {
  return {{"float", float_forms()},     {"half", half_forms()},       {"compare", compare_forms()},
          {"convert", convert_forms()}, {"integer", integer_forms()}, {"bits", bit_forms()},
          {"approx", approx_forms()},   {"video", video_forms()},     {"atomic", atomic_forms()},
          {"mma", mma_forms()},         {"wmma", wmma_forms()}};
}

std::string ptx_module(const std::vector<Form>& forms) {
  std::ostringstream text;
  text << ".version 8.6\n.target sm_90a\n.address_size 64\n";
  for (std::size_t i = 0; i < forms.size(); ++i) {
    const Form& form = forms[i];
    text << "\n// " << form.name << "\n.visible .entry form_" << i
         << "(.param .u64 inputs, .param .u64 outputs, .param .u32 cases)\n{\n"
            ".reg .b64 %in, %out, %at;\n.reg .b32 %case, %cases, %lane, %threads;\n.reg .pred %outside;\n"
            "mov.u32 %case, %ctaid.x;\nmov.u32 %threads, %ntid.x;\nmov.u32 %lane, %tid.x;\n";
    // One case a block of 32 threads, or a thread.
    if (!form.warp) text << "mad.lo.u32 %case, %case, %threads, %lane;\n";
    text << "ld.param.u32 %cases, [cases];\nsetp.ge.u32 %outside, %case, %cases;\n@%outside ret;\n"
            "ld.param.u64 %in, [inputs];\nld.param.u64 %out, [outputs];\n"
         << "mul.wide.u32 %at, %case, " << form.in_bytes
         << ";\nadd.s64 %in, %in, %at;\nmul.wide.u32 %at, %case, " << form.out_bytes
         << ";\nadd.s64 %out, %out, %at;\n"
         << form.body << "ret;\n}\n";
  }
  return text.str();
}

std::vector<std::byte> case_inputs(const Form& form, int cases, std::uint64_t seed) {
  std::vector<std::byte> name(form.name.size());
  std::memcpy(name.data(), form.name.data(), name.size());
  support::OperandSource source(seed ^ hash_of(name));
  std::vector<std::byte> inputs(static_cast<std::size_t>(form.in_bytes) * static_cast<std::size_t>(cases));
  for (int i = 0; i < cases; ++i)
    form.fill(source, inputs.data() + static_cast<std::ptrdiff_t>(i) * form.in_bytes);
  return inputs;
}

std::vector<std::byte> exhaustive_inputs(const Form& form) {
  if (form.in_bytes != kSlot) throw std::logic_error(form.name + ": one operand only");
  std::vector<std::byte> inputs(kSlot * 0x10000);
  for (std::uint64_t a = 0; a < 0x10000; ++a) std::memcpy(inputs.data() + kSlot * a, &a, kSlot);
  return inputs;
}

std::vector<std::byte> emulated(const Form& form, const std::vector<std::byte>& inputs) {
  const std::size_t cases = inputs.size() / static_cast<std::size_t>(form.in_bytes);
  std::vector<std::byte> outputs(cases * static_cast<std::size_t>(form.out_bytes));
  for (std::size_t i = 0; i < cases; ++i) {
    form.emulate(inputs.data() + i * static_cast<std::size_t>(form.in_bytes),
                 outputs.data() + i * static_cast<std::size_t>(form.out_bytes));
  }
  return outputs;
}

std::uint64_t hash_of(const std::vector<std::byte>& bytes) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (const std::byte byte : bytes) hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3ull;
  return hash;
}

}  // namespace kgen::differential
