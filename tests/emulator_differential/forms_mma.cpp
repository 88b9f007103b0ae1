#include <cstring>
#include <sstream>

#include "emulator_differential/form.hpp"
#include "emulator_differential/mma_problem.hpp"
#include "emulator_differential/names.hpp"

namespace kgen::differential {
namespace {

using namespace emulator;
using enum ScalarType;

constexpr MatrixPart kParts[] = {MatrixPart::a, MatrixPart::b, MatrixPart::c, MatrixPart::d};
constexpr const char* kLetters[] = {"a", "b", "c", "d"};

int word_bytes(const MmaForm& form) {
  return form.a == f64 ? 8 : 4;
}
/// Bytes of a fragment in memory: register by register, 32 lanes each.
int fragment_bytes(const MmaForm& form, MatrixPart part) {
  return fragment_registers(form, part) * 32 * word_bytes(form);
}

/// Reads a, b and c lane by lane, runs `instruction`, writes d.
std::string mma_body(const MmaForm& form, const std::string& mnemonic) {
  std::ostringstream body;
  const int bytes = word_bytes(form);
  const std::string word = ".b" + std::to_string(8 * bytes);
  const std::string typed = form.a == f64 ? ".f64" : ".b32";
  body << ".reg .b64 %from, %to, %mine;\nmul.wide.u32 %mine, %lane, " << bytes
       << ";\nadd.s64 %from, %in, %mine;\nadd.s64 %to, %out, %mine;\n";
  int offset = 0;
  for (int part = 0; part < 4; ++part) {
    const int registers = fragment_registers(form, kParts[part]);
    const bool single = form.a != f64 && (part >= 2) && type_of(form, kParts[part]) == f32;
    body << ".reg " << (single ? ".f32" : typed) << " %" << kLetters[part] << "<" << registers << ">;\n";
    for (int reg = 0; reg < registers && part < 3; ++reg, offset += 32 * bytes) {
      body << "ld.global" << word << " %" << kLetters[part] << reg << ", [%from+" << offset << "];\n";
    }
  }
  body << mnemonic << " " << register_list(form, MatrixPart::d, "d") << ", "
       << register_list(form, MatrixPart::a, "a") << ", " << register_list(form, MatrixPart::b, "b") << ", "
       << register_list(form, MatrixPart::c, "c") << ";\n";
  for (int reg = 0; reg < fragment_registers(form, MatrixPart::d); ++reg) {
    body << "st.global" << word << " [%to+" << reg * 32 * bytes << "], %d" << reg << ";\n";
  }
  return body.str();
}

/// Moves elements between a fragment's bytes in memory and a dense matrix.
void copy_fragment(const MmaForm& form, MatrixPart part, std::vector<std::uint64_t>& dense, std::byte* to,
                   const std::byte* from) {
  const int per = values_per_register(form, part);
  const int element_bytes = word_bytes(form) / per;
  for (int reg = 0; reg < fragment_registers(form, part); ++reg) {
    for (int lane = 0; lane < 32; ++lane) {
      for (int value = 0; value < per; ++value) {
        const MatrixElement e = fragment_element(form, part, lane, reg, value);
        std::uint64_t& element = dense[static_cast<std::size_t>(e.row * columns_of(form, part) + e.column)];
        const std::ptrdiff_t at =
            static_cast<std::ptrdiff_t>(reg * 32 + lane) * word_bytes(form) + value * element_bytes;
        if (to != nullptr) std::memcpy(to + at, &element, static_cast<std::size_t>(element_bytes));
        if (from != nullptr) std::memcpy(&element, from + at, static_cast<std::size_t>(element_bytes));
      }
    }
  }
}

Problem read_problem(const MmaForm& form, const std::byte* in) {
  Problem problem(form);
  for (const MatrixPart part : {MatrixPart::a, MatrixPart::b, MatrixPart::c}) {
    copy_fragment(form, part, problem.part(part), nullptr, in);
    in += fragment_bytes(form, part);
  }
  return problem;
}

Form mma_form(const MmaForm& form, const std::string& modifier = "") {
  Form result;
  result.name = "mma.sync.aligned" + shape_name(form) + ".row.col" + modifier + name_of(form.d) +
                name_of(form.a) + name_of(form.b) + name_of(form.c);
  result.body = mma_body(form, result.name);
  result.warp = true;
  result.cases = 6;
  for (const MatrixPart part : {MatrixPart::a, MatrixPart::b, MatrixPart::c})
    result.in_bytes += fragment_bytes(form, part);
  result.out_bytes = fragment_bytes(form, MatrixPart::d);
  result.fill = [form](support::OperandSource& source, std::byte* in) {
    Problem problem = random_problem(form, source);
    for (const MatrixPart part : {MatrixPart::a, MatrixPart::b, MatrixPart::c}) {
      copy_fragment(form, part, problem.part(part), in, nullptr);
      in += fragment_bytes(form, part);
    }
  };
  result.emulate = [form](const std::byte* in, std::byte* out) {
    std::vector<std::uint64_t> product = emulated_product(read_problem(form, in));
    copy_fragment(form, MatrixPart::d, product, out, nullptr);
  };
  result.disagreement = [form](const std::byte* in, const std::byte* expected, const std::byte* got) {
    std::vector<std::uint64_t> wanted(static_cast<std::size_t>(form.m * form.n));
    std::vector<std::uint64_t> result_elements(wanted.size());
    copy_fragment(form, MatrixPart::d, wanted, nullptr, expected);
    copy_fragment(form, MatrixPart::d, result_elements, nullptr, got);
    return disagreement_of(read_problem(form, in), wanted, result_elements);
  };
  return result;
}

Form movmatrix_form() {
  Form form;
  form.name = "movmatrix.sync.aligned.m8n8.trans.b16";
  form.body =
      ".reg .b64 %from, %to, %mine;\n.reg .b32 %a, %d;\nmul.wide.u32 %mine, %lane, 4;\nadd.s64 %from, %in, "
      "%mine;\n"
      "add.s64 %to, %out, %mine;\nld.global.b32 %a, [%from];\n" +
      form.name + " %d, %a;\nst.global.b32 [%to], %d;\n";
  form.warp = true;
  form.cases = 2;
  form.in_bytes = form.out_bytes = 128;
  form.fill = [](support::OperandSource& source, std::byte* in) {
    for (int lane = 0; lane < 32; ++lane) {
      const auto word = static_cast<std::uint32_t>(source.random());
      std::memcpy(in + 4 * lane, &word, sizeof word);
    }
  };
  form.emulate = [](const std::byte* in, std::byte* out) {
    std::uint32_t a[32];
    std::uint32_t d[32];
    std::memcpy(a, in, sizeof a);
    transpose_matrix(a, d);
    std::memcpy(out, d, sizeof d);
  };
  form.disagreement = [](const std::byte*, const std::byte* expected, const std::byte* got) {
    return std::memcmp(expected, got, 128) == 0 ? std::string() : std::string("another transposition");
  };
  return form;
}

}  // namespace

std::vector<Form> mma_forms() {
  std::vector<Form> forms;
  for (const int k : {8, 16}) {
    for (const ScalarType d : {f16, f32}) forms.push_back(mma_form({16, 8, k, f16, f16, d, d}));
    forms.push_back(mma_form({16, 8, k, bf16, bf16, f32, f32}));
    forms.push_back(mma_form({16, 8, k / 2, tf32, tf32, f32, f32}));
    forms.push_back(mma_form({16, 8, k, f64, f64, f64, f64}));
    for (const auto& [a, b] : {std::pair{s8, s8}, std::pair{u8, u8}, std::pair{s8, u8}, std::pair{u8, s8}}) {
      forms.push_back(mma_form({16, 8, 2 * k, a, b, s32, s32}));
      forms.push_back(mma_form({16, 8, 2 * k, a, b, s32, s32, true}, ".satfinite"));
    }
  }
  for (const auto& [a, b] : {std::pair{e4m3, e4m3}, std::pair{e5m2, e5m2}, std::pair{e4m3, e5m2}}) {
    forms.push_back(mma_form({16, 8, 32, a, b, f32, f32}));
  }
  forms.push_back(mma_form({8, 8, 4, f64, f64, f64, f64}));
  forms.push_back(mma_form({16, 8, 4, f64, f64, f64, f64}));
  forms.push_back(mma_form({8, 8, 16, s8, s8, s32, s32}));
  forms.push_back(movmatrix_form());
  return forms;
}

}  // namespace kgen::differential
