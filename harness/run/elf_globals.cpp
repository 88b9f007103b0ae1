#include "harness/run/elf_globals.hpp"

#include <elf.h>

#include <cstring>
#include <optional>

namespace kgen::run {
namespace {

template <class T>
std::optional<T> read_at(std::string_view bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T out;
  std::memcpy(&out, bytes.data() + offset, sizeof out);
  return out;
}

/// NUL-terminated text of a string table.
std::string text_at(std::string_view bytes, const Elf64_Shdr& table, std::uint64_t index) {
  if (index >= table.sh_size || table.sh_offset > bytes.size()) return {};
  const std::string_view rest = bytes.substr(table.sh_offset).substr(0, table.sh_size);
  return index < rest.size() ? std::string(rest.substr(index, rest.find('\0', index) - index))
                             : std::string();
}

std::vector<Elf64_Shdr> section_headers(std::string_view cubin, const Elf64_Ehdr& file) {
  std::vector<Elf64_Shdr> out;
  for (std::uint64_t i = 0; i < file.e_shnum; ++i) {
    const auto header = read_at<Elf64_Shdr>(cubin, file.e_shoff + i * sizeof(Elf64_Shdr));
    if (!header) return out;
    out.push_back(*header);
  }
  return out;
}

bool holds_variables(std::string_view section) {
  return section.substr(0, 10) == ".nv.global" || section == ".nv.constant3";
}

}  // namespace

std::vector<ElfGlobal> elf_globals(std::string_view cubin) {
  std::vector<ElfGlobal> out;
  const auto file = read_at<Elf64_Ehdr>(cubin, 0);
  if (!file || std::memcmp(file->e_ident, ELFMAG, SELFMAG) != 0) return out;
  const auto sections = section_headers(cubin, *file);
  if (file->e_shstrndx >= sections.size()) return out;
  for (const Elf64_Shdr& table : sections) {
    if (table.sh_type != SHT_SYMTAB || table.sh_link >= sections.size()) continue;
    for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size; at += sizeof(Elf64_Sym)) {
      const auto symbol = read_at<Elf64_Sym>(cubin, table.sh_offset + at);
      if (!symbol) break;
      if (symbol->st_size == 0 || symbol->st_shndx >= sections.size()) continue;
      const std::string section =
          text_at(cubin, sections[file->e_shstrndx], sections[symbol->st_shndx].sh_name);
      if (!holds_variables(section)) continue;
      out.push_back({text_at(cubin, sections[table.sh_link], symbol->st_name), section, symbol->st_value,
                     symbol->st_size});
    }
  }
  return out;
}

}  // namespace kgen::run
