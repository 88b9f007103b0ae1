#include "harness/run/elf_globals.hpp"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>

namespace kgen::run {
namespace {

/// A cubin's skeleton: section names, and symbols that lie in them.
class ElfBuilder {
 public:
  ElfBuilder() { add_section("", SHT_NULL); }
  std::size_t add_section(const std::string& name, unsigned type) {
    Elf64_Shdr header{};
    header.sh_name = static_cast<unsigned>(section_names_.size());
    header.sh_type = type;
    section_names_ += name + '\0';
    sections_.push_back(header);
    return sections_.size() - 1;
  }
  void add_symbol(const std::string& name, std::size_t section, std::uint64_t value, std::uint64_t size) {
    Elf64_Sym symbol{};
    symbol.st_name = static_cast<unsigned>(symbol_names_.size());
    symbol.st_shndx = static_cast<unsigned short>(section);
    symbol.st_value = value;
    symbol.st_size = size;
    symbol_names_ += name + '\0';
    symbols_.append(reinterpret_cast<const char*>(&symbol), sizeof symbol);
  }
  std::string bytes() {
    const std::size_t names = add_section(".shstrtab", SHT_STRTAB),
                      strings = add_section(".strtab", SHT_STRTAB);
    const std::size_t table = add_section(".symtab", SHT_SYMTAB);
    sections_[table].sh_link = static_cast<unsigned>(strings);
    Elf64_Ehdr file{};
    std::memcpy(file.e_ident, ELFMAG, SELFMAG);
    std::string out(sizeof file, '\0');
    place(out, sections_[names], section_names_);
    place(out, sections_[strings], symbol_names_);
    place(out, sections_[table], symbols_);
    file.e_shoff = out.size();
    file.e_shnum = static_cast<unsigned short>(sections_.size());
    file.e_shstrndx = static_cast<unsigned short>(names);
    out.append(reinterpret_cast<const char*>(sections_.data()), sections_.size() * sizeof(Elf64_Shdr));
    std::memcpy(out.data(), &file, sizeof file);
    return out;
  }

 private:
  static void place(std::string& out, Elf64_Shdr& header, const std::string& content) {
    header.sh_offset = out.size();
    header.sh_size = content.size();
    out += content;
  }
  std::vector<Elf64_Shdr> sections_;
  std::string section_names_, symbol_names_, symbols_;
};

std::string sample() {
  ElfBuilder elf;
  const auto global = elf.add_section(".nv.global", SHT_NOBITS),
             init = elf.add_section(".nv.global.init", SHT_PROGBITS);
  const auto constant = elf.add_section(".nv.constant3", SHT_PROGBITS),
             text = elf.add_section(".text.k", SHT_PROGBITS);
  elf.add_symbol("", 0, 0, 0);
  elf.add_symbol("counter", global, 8, 4);
  elf.add_symbol("", global, 0, 0);  // the section's own symbol
  elf.add_symbol("k", text, 0, 640);
  elf.add_symbol("seen", init, 16, 32);
  elf.add_symbol("table", constant, 0, 64);
  return elf.bytes();
}

TEST(ElfGlobals, ListsVariablesAndNothingElse) {
  const auto globals = elf_globals(sample());
  ASSERT_EQ(globals.size(), 3u);
  EXPECT_EQ(globals[0].name, "counter");
  EXPECT_EQ(globals[0].section, ".nv.global");
  EXPECT_EQ(globals[0].offset, 8u);
  EXPECT_EQ(globals[0].bytes, 4u);
  EXPECT_EQ(globals[1].name, "seen");
  EXPECT_EQ(globals[1].bytes, 32u);
  EXPECT_EQ(globals[2].section, ".nv.constant3");
}

TEST(ElfGlobals, SurvivesAnyCutOfTheFile) {
  const std::string whole = sample();
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_LE(elf_globals(whole.substr(0, size)).size(), 3u);
  EXPECT_TRUE(elf_globals("").empty());
  EXPECT_TRUE(elf_globals(std::string(4096, 'x')).empty());
}

TEST(ElfGlobals, SurvivesAnyByteBeingWrong) {
  const std::string whole = sample();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string broken = whole;
    broken[at] = '\xff';
    EXPECT_LE(elf_globals(broken).size(), 1000u);
  }
}

}  // namespace
}  // namespace kgen::run
