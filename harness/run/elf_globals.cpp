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

/// Beyond 65279 sections their number stands in the first header (ELF: e_shnum is 0 then).
std::vector<Elf64_Shdr> section_headers(std::string_view cubin, const Elf64_Ehdr& file) {
  std::vector<Elf64_Shdr> out;
  const auto first = read_at<Elf64_Shdr>(cubin, file.e_shoff);
  const std::uint64_t count = file.e_shnum != 0 ? file.e_shnum : first ? first->sh_size : 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto header = read_at<Elf64_Shdr>(cubin, file.e_shoff + i * sizeof(Elf64_Shdr));
    if (!header) return out;
    out.push_back(*header);
  }
  return out;
}

/// The section of a symbol; of one whose number does not fit it stands in a table beside the symbols'.
std::uint64_t section_of(std::string_view cubin, const std::vector<Elf64_Shdr>& sections, std::size_t table,
                         std::uint64_t number, const Elf64_Sym& symbol) {
  if (symbol.st_shndx != SHN_XINDEX) return symbol.st_shndx;
  for (const Elf64_Shdr& one : sections) {
    if (one.sh_type != SHT_SYMTAB_SHNDX || one.sh_link != table) continue;
    const auto index = read_at<std::uint32_t>(cubin, one.sh_offset + number * sizeof(std::uint32_t));
    return index ? *index : sections.size();
  }
  return sections.size();
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
  const std::uint64_t names =
      file->e_shstrndx == SHN_XINDEX && !sections.empty() ? sections[0].sh_link : file->e_shstrndx;
  if (names >= sections.size()) return out;
  for (std::size_t t = 0; t < sections.size(); ++t) {
    const Elf64_Shdr& table = sections[t];
    if (table.sh_type != SHT_SYMTAB || table.sh_link >= sections.size()) continue;
    for (std::uint64_t number = 0; (number + 1) * sizeof(Elf64_Sym) <= table.sh_size; ++number) {
      const auto symbol = read_at<Elf64_Sym>(cubin, table.sh_offset + number * sizeof(Elf64_Sym));
      if (!symbol) break;
      const std::uint64_t home = section_of(cubin, sections, t, number, *symbol);
      if (symbol->st_size == 0 || home >= sections.size()) continue;
      const std::string section = text_at(cubin, sections[names], sections[home].sh_name);
      if (!holds_variables(section)) continue;
      out.push_back({text_at(cubin, sections[table.sh_link], symbol->st_name), section, symbol->st_value,
                     symbol->st_size});
    }
  }
  return out;
}

}  // namespace kgen::run
