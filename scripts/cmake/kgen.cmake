# Build functions shared by every folder: one library a folder, one warnings target, embedded text files.

add_library(kgen_warnings INTERFACE)
target_compile_options(kgen_warnings INTERFACE -Wall -Wextra -Wconversion -Wshadow $<$<BOOL:${KGEN_WERROR}>:-Werror>)
# g++ 12 warns of std::string's own insert and replace at -O2 and above (GCC bug 105651).
target_compile_options(kgen_warnings INTERFACE $<$<AND:$<CXX_COMPILER_ID:GNU>,$<NOT:$<CONFIG:Debug>>>:-Wno-restrict>)
if(KGEN_SANITIZE)
  target_compile_options(kgen_warnings INTERFACE -fsanitize=${KGEN_SANITIZE} -fno-omit-frame-pointer
                                                 -fno-sanitize-recover=all)
  # A test's own code goes without UBSan's checks, which take a third of the time that it takes to compile.
  target_compile_options(kgen_warnings INTERFACE $<$<BOOL:$<TARGET_PROPERTY:KGEN_IS_TEST>>:-fno-sanitize=undefined>)
  target_link_options(kgen_warnings INTERFACE -fsanitize=${KGEN_SANITIZE})
endif()

# kgen_library(NAME SOURCES a.cpp b.cpp [LIBS x y]): static library kgen_NAME, alias kgen::NAME.
# Headers are included as "folder/file.hpp" from src/, or "harness/folder/file.hpp" from the root.
function(kgen_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBS" ${ARGN})
  add_library(kgen_${name} STATIC ${ARG_SOURCES})
  add_library(kgen::${name} ALIAS kgen_${name})
  target_include_directories(kgen_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
  target_link_libraries(kgen_${name} PUBLIC ${ARG_LIBS} PRIVATE kgen_warnings)
endfunction()

# kgen_embed(TARGET NAMESPACE [ROOT FOLDER] FILE...): compiles text files into TARGET as one table
#   std::span<const kgen::util::EmbeddedFile> kgen::embedded::NAMESPACE();   (see util/embedded.hpp)
# Each entry's name is its path relative to FOLDER, which is that of the calling CMakeLists.txt where none is given.
function(kgen_embed target namespace)
  cmake_parse_arguments(ARG "" "ROOT" "" ${ARGN})
  if(NOT ARG_ROOT)
    set(ARG_ROOT ${CMAKE_CURRENT_SOURCE_DIR})
  endif()
  set(out ${CMAKE_CURRENT_BINARY_DIR}/embedded_${namespace}.cpp)
  set(files)
  foreach(file ${ARG_UNPARSED_ARGUMENTS})
    list(APPEND files ${ARG_ROOT}/${file})
  endforeach()
  string(REPLACE ";" "|" names "${ARG_UNPARSED_ARGUMENTS}")
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DOUT=${out} -DNAMESPACE=${namespace} -DROOT=${ARG_ROOT}
            "-DNAMES=${names}" -P ${PROJECT_SOURCE_DIR}/scripts/cmake/embed.cmake
    DEPENDS ${files} ${PROJECT_SOURCE_DIR}/scripts/cmake/embed.cmake
    VERBATIM)
  target_sources(${target} PRIVATE ${out})
  # Each table names its files alike.
  set_source_files_properties(${out} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# Every test program that needs neither a GPU nor Python nor much time: what scripts/check-sanitizers.sh builds.
add_custom_target(host_tests)

# kgen_test(NAME SOURCES ... LIBS ... [LABELS ...] [TIMEOUT s] [OPTIMISED]): a gtest program registered as one ctest test.
# OPTIMISED: for tests that spend seconds in a library. Of a template's copies the linker keeps the first, a test's own,
# and at -O0 that makes the library's containers several times slower.
function(kgen_test name)
  cmake_parse_arguments(ARG "OPTIMISED" "TIMEOUT" "SOURCES;LIBS;LABELS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE ${ARG_LIBS} GTest::gtest GTest::gtest_main kgen_warnings)
  target_compile_definitions(${name} PRIVATE KGEN_SOURCE_DIR="${PROJECT_SOURCE_DIR}" KGEN_BINARY_DIR="${PROJECT_BINARY_DIR}")
  set_target_properties(${name} PROPERTIES KGEN_IS_TEST ON)
  if(ARG_OPTIMISED)  # beats the -O0 of tests/CMakeLists.txt
    target_compile_options(${name} PRIVATE -O1)
  endif()
  add_test(NAME ${name} COMMAND ${name})
  if(NOT ARG_LABELS MATCHES "gpu|slow|python")
    add_dependencies(host_tests ${name})
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 600)  # a slow machine takes several times as long as a quick one
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT} SKIP_RETURN_CODE 77)
endfunction()
