#include "harness/emulator/instr_class.hpp"

#include <cctype>
#include <charconv>

namespace kgen::emulator {
namespace {

std::string_view first_part(std::string_view name) {
  return name.substr(0, name.find('.'));
}

std::string_view last_part(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1);
}

struct Row {
  std::string_view opcode, kind;
};
/// Opcodes that are of one kind whatever their type.
constexpr Row kKinds[] = {
    {"ld", "memory"},
    {"ldu", "memory"},
    {"st", "memory"},
    {"atom", "memory"},
    {"red", "memory"},
    {"cp", "memory"},
    {"ldmatrix", "memory"},
    {"stmatrix", "memory"},
    {"prefetch", "memory"},
    {"prefetchu", "memory"},
    {"cvt", "conversion"},
    {"bra", "control"},
    {"brx", "control"},
    {"ret", "control"},
    {"exit", "control"},
    {"call", "control"},
    {"trap", "control"},
    {"bar", "control"},
    {"barrier", "control"},
    {"nanosleep", "control"},
    {"mbarrier", "control"},
    {"and", "bit"},
    {"or", "bit"},
    {"xor", "bit"},
    {"not", "bit"},
    {"cnot", "bit"},
    {"shl", "bit"},
    {"shr", "bit"},
    {"shf", "bit"},
    {"lop3", "bit"},
    {"bfe", "bit"},
    {"bfi", "bit"},
    {"brev", "bit"},
    {"popc", "bit"},
    {"clz", "bit"},
    {"bfind", "bit"},
    {"fns", "bit"},
    {"prmt", "bit"},
    {"bmsk", "bit"},
    {"szext", "bit"},
    {"shfl", "inter_thread_communication"},
    {"vote", "inter_thread_communication"},
    {"match", "inter_thread_communication"},
    {"redux", "inter_thread_communication"},
    {"activemask", "inter_thread_communication"},
    {"mov", "misc"},
    {"cvta", "misc"},
    {"isspacep", "misc"},
    {"membar", "misc"},
    {"fence", "misc"},
    {"elect", "misc"},
    {"createpolicy", "misc"},
};

struct Float {
  std::string_view kind;
  char letter;
  double lanes;  ///< numbers in one register
};

/// Of the type that an arithmetic instruction ends with; kind empty: no float.
Float float_of(std::string_view type) {
  if (type == "f32") return {"fp32", 'f', 1};
  if (type == "f64") return {"fp64", 'd', 1};
  if (type == "f16" || type == "bf16") return {"fp16", 'h', 1};
  if (type == "f16x2" || type == "bf16x2") return {"fp16", 'h', 2};
  return {"", ' ', 0};
}

std::string_view operation_of(char letter, std::string_view opcode) {
  struct Named {
    char letter;
    std::string_view opcode, name;
  };
  constexpr Named kNamed[] = {{'f', "add", "fadd"}, {'f', "sub", "fadd"}, {'f', "mul", "fmul"},
                              {'f', "fma", "ffma"}, {'f', "mad", "ffma"}, {'d', "add", "dadd"},
                              {'d', "sub", "dadd"}, {'d', "mul", "dmul"}, {'d', "fma", "dfma"},
                              {'d', "mad", "dfma"}, {'h', "add", "hadd"}, {'h', "sub", "hadd"},
                              {'h', "mul", "hmul"}, {'h', "fma", "hfma"}};
  for (const Named& row : kNamed) {
    if (row.letter == letter && row.opcode == opcode) return row.name;
  }
  return {};
}

int number_behind(std::string_view text, char letter) {
  const std::size_t at = text.find(letter);
  int value = 0;
  if (at != std::string_view::npos) std::from_chars(text.data() + at + 1, text.data() + text.size(), value);
  return value;
}

/// "m16n8k16": 2 m n k operations of a warp.
double operations_of_shape(std::string_view name) {
  for (std::size_t at = name.find(".m"); at != std::string_view::npos; at = name.find(".m", at + 1)) {
    std::string_view part = name.substr(at + 1);
    part = part.substr(0, part.find('.'));
    const int m = number_behind(part, 'm'), n = number_behind(part, 'n'), k = number_behind(part, 'k');
    if (m > 0 && n > 0 && k > 0) return 2.0 * m * n * k;
  }
  return 0;
}

std::string_view tensor_type(std::string_view name) {
  if (has_part(name, "bf16")) return "bf16_dst_fp32";
  if (has_part(name, "tf32")) return "tf32_dst_fp32";
  if (has_part(name, "f64")) return "fp64";
  if (has_part(name, "e4m3") || has_part(name, "e5m2")) return "fp8";
  if (has_part(name, "s8") || has_part(name, "u8")) return "int8";
  return "fp16";
}

}  // namespace

bool has_part(std::string_view name, std::string_view word) {
  for (std::size_t at = name.find(word); at != std::string_view::npos; at = name.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || name[at - 1] == '.') && (end == name.size() || name[end] == '.' || name[end] == ':'))
      return true;
  }
  return false;
}

InstrClass class_of(std::string_view name) {
  const std::string_view opcode = first_part(name);
  if (opcode == "mma" || (opcode == "wmma" && has_part(name, "mma")))
    return {"misc", "", operations_of_shape(name) / 32, tensor_type(name)};
  if (opcode == "wmma") return {"memory", "", 0, ""};
  for (const Row& row : kKinds) {
    if (row.opcode == opcode) return {row.kind, "", 0, ""};
  }
  const Float type = float_of(last_part(name));
  if (type.kind.empty()) return {"integer", "", 0, ""};
  const std::string_view operation = operation_of(type.letter, opcode);
  const double each = operation.empty() ? 0 : operation.ends_with("fma") ? 2 : 1;
  return {type.kind, operation, each * type.lanes, ""};
}

}  // namespace kgen::emulator
