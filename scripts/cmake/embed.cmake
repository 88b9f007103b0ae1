# Writes OUT: a C++ file with the text of each of NAMES (separated by |, below ROOT) as a table of EmbeddedFile.
# Text is written as hexadecimal bytes: no limit on a literal's length and nothing to escape.
string(REPLACE "|" ";" names "${NAMES}")
set(arrays "")
set(rows "")
set(index 0)
foreach(name ${names})
  file(READ ${ROOT}/${name} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(APPEND arrays "const unsigned char file_${index}[] = {${bytes}0};\n")
  string(APPEND rows "    {\"${name}\", {reinterpret_cast<const char*>(file_${index}), sizeof(file_${index}) - 1}},\n")
  math(EXPR index "${index} + 1")
endforeach()
file(WRITE ${OUT} "#include \"util/embedded.hpp\"\n\nnamespace kgen::embedded {\nnamespace {\n${arrays}
const util::EmbeddedFile kFiles[] = {\n${rows}};\n}  // namespace\n
std::span<const util::EmbeddedFile> ${NAMESPACE}();
std::span<const util::EmbeddedFile> ${NAMESPACE}() { return kFiles; }\n}  // namespace kgen::embedded\n")
