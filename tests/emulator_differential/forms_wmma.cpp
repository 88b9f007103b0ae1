#include <cstring>
#include <sstream>

#include "emulator_differential/form.hpp"
#include "emulator_differential/mma_problem.hpp"
#include "emulator_differential/names.hpp"

namespace kgen::differential {
namespace {

using namespace emulator;
using enum ScalarType;

/// Where the matrices of a wmma case lie in its bytes, and how.
struct WmmaCase {
  MmaForm form;
  bool a_row = true, b_row = false;

  int bytes(MatrixPart part) const {
    const int elements = part == MatrixPart::a   ? form.m * form.k
                         : part == MatrixPart::b ? form.k * form.n
                                                 : form.m * form.n;
    return elements * bits_of(type_of(form, part)) / 8;
  }
  bool row_major(MatrixPart part) const {
    return part == MatrixPart::a ? a_row : part != MatrixPart::b || b_row;
  }
  int stride(MatrixPart part) const {
    const int rows = part == MatrixPart::b ? form.k : form.m;
    return row_major(part) ? columns_of(form, part) : rows;
  }
  /// A, B and C one behind the other; each size is a multiple of 32 bytes.
  int offset(MatrixPart part) const {
    if (part == MatrixPart::a) return 0;
    return part == MatrixPart::b ? bytes(MatrixPart::a) : bytes(MatrixPart::a) + bytes(MatrixPart::b);
  }
};

void copy_matrix(const WmmaCase& wmma, MatrixPart part, std::vector<std::uint64_t>& dense, std::byte* to,
                 const std::byte* from) {
  const int columns = columns_of(wmma.form, part);
  const int bytes = bits_of(type_of(wmma.form, part)) / 8;
  for (std::size_t i = 0; i < dense.size(); ++i) {
    const MatrixElement e{static_cast<int>(i) / columns, static_cast<int>(i) % columns};
    const long long at = bytes * matrix_offset(e, wmma.row_major(part), wmma.stride(part));
    if (to != nullptr) std::memcpy(to + at, &dense[i], static_cast<std::size_t>(bytes));
    if (from != nullptr) std::memcpy(&dense[i], from + at, static_cast<std::size_t>(bytes));
  }
}

Problem read_problem(const WmmaCase& wmma, const std::byte* in) {
  Problem problem(wmma.form);
  for (const MatrixPart part : {MatrixPart::a, MatrixPart::b, MatrixPart::c}) {
    copy_matrix(wmma, part, problem.part(part), nullptr, in + wmma.offset(part));
  }
  return problem;
}

std::string wmma_name(const WmmaCase& wmma) {
  const MmaForm& form = wmma.form;
  std::string name = std::string("wmma.mma.sync.aligned") + (wmma.a_row ? ".row" : ".col") +
                     (wmma.b_row ? ".row" : ".col") + shape_name(form);
  if (form.a == f16) return name + name_of(form.d) + name_of(form.c);
  if (form.a == f64) name += ".rn";
  return name + name_of(form.d) + name_of(form.a) + name_of(form.b) + name_of(form.c) +
         when(form.satfinite, ".satfinite");
}

std::string wmma_body(const WmmaCase& wmma) {
  const MmaForm& form = wmma.form;
  std::ostringstream body;
  body << ".reg .b64 %from;\n.reg .b32 %stride;\n";
  const auto registers = [&](MatrixPart part, const char* letter) {
    const ScalarType type = type_of(form, part);
    const char* kind = type == f64 ? ".f64" : type == f32 ? ".f32" : ".b32";
    body << ".reg " << kind << " %" << letter << "<" << fragment_registers(form, part) << ">;\n";
  };
  const auto load = [&](MatrixPart part, const char* letter) {
    registers(part, letter);
    body << "add.s64 %from, %in, " << wmma.offset(part) << ";\nmov.u32 %stride, " << wmma.stride(part)
         << ";\nwmma.load." << letter << ".sync.aligned" << (wmma.row_major(part) ? ".row" : ".col")
         << shape_name(form) << ".global" << name_of(type_of(form, part)) << " "
         << register_list(form, part, letter) << ", [%from], %stride;\n";
  };
  load(MatrixPart::a, "a");
  load(MatrixPart::b, "b");
  load(MatrixPart::c, "c");
  registers(MatrixPart::d, "d");
  body << wmma_name(wmma) << " " << register_list(form, MatrixPart::d, "d") << ", "
       << register_list(form, MatrixPart::a, "a") << ", " << register_list(form, MatrixPart::b, "b") << ", "
       << register_list(form, MatrixPart::c, "c") << ";\nmov.u32 %stride, " << form.n
       << ";\nwmma.store.d.sync.aligned.row" << shape_name(form) << ".global" << name_of(form.d)
       << " [%out], " << register_list(form, MatrixPart::d, "d") << ", %stride;\n";
  return body.str();
}

Form wmma_form(const WmmaCase& wmma) {
  Form result;
  result.name = wmma_name(wmma);
  result.body = wmma_body(wmma);
  result.warp = true;
  result.cases = 3;
  result.in_bytes = wmma.offset(MatrixPart::c) + wmma.bytes(MatrixPart::c);
  result.out_bytes = wmma.bytes(MatrixPart::d);
  result.fill = [wmma](support::OperandSource& source, std::byte* in) {
    Problem problem = random_problem(wmma.form, source);
    for (const MatrixPart part : {MatrixPart::a, MatrixPart::b, MatrixPart::c}) {
      copy_matrix(wmma, part, problem.part(part), in + wmma.offset(part), nullptr);
    }
  };
  result.emulate = [wmma](const std::byte* in, std::byte* out) {
    std::vector<std::uint64_t> product = emulated_product(read_problem(wmma, in));
    copy_matrix(wmma, MatrixPart::d, product, out, nullptr);
  };
  result.disagreement = [wmma](const std::byte* in, const std::byte* expected, const std::byte* got) {
    std::vector<std::uint64_t> wanted(static_cast<std::size_t>(wmma.form.m * wmma.form.n));
    std::vector<std::uint64_t> elements(wanted.size());
    copy_matrix(wmma, MatrixPart::d, wanted, nullptr, expected);
    copy_matrix(wmma, MatrixPart::d, elements, nullptr, got);
    return disagreement_of(read_problem(wmma, in), wanted, elements);
  };
  return result;
}

}  // namespace

std::vector<Form> wmma_forms() {
  std::vector<Form> forms;
  const auto push = [&](int m, int n, int k, ScalarType ab, ScalarType cd) {
    for (const bool b_row : {false, true})
      forms.push_back(wmma_form({{m, n, k, ab, ab, cd, cd, false, true}, !b_row, b_row}));
  };
  for (const auto& [m, n] : {std::pair{16, 16}, std::pair{32, 8}, std::pair{8, 32}}) {
    push(m, n, 16, f16, f32);
    push(m, n, 16, f16, f16);
    push(m, n, 16, bf16, f32);
    push(m, n, 16, s8, s32);
    push(m, n, 16, u8, s32);
  }
  push(16, 16, 8, tf32, f32);
  push(8, 8, 4, f64, f64);
  return forms;
}

}  // namespace kgen::differential
