# How every folder is built: one library per folder of sources, one test program per folder of tests.

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
set(CMAKE_CXX_FLAGS_DEBUG "-Og -g1")
# What ships is hardened: position-independent, read-only after relocation, stack and library calls
# checked. tests/system/hardening_test.cc looks at the binary.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG -fPIE -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fstack-clash-protection -fcf-protection")
set(CMAKE_EXE_LINKER_FLAGS_RELEASE "-pie -Wl,-z,relro,-z,now,-z,noexecstack")

# For debuggers, in sections that scripts/image splits off. They name sources by their path in the
# project, so that the same sources give the same program wherever they are built.
option(BASALT_LINE_NUMBERS "Add line numbers to the release build" OFF)
if(BASALT_LINE_NUMBERS)
  add_compile_options(-g1 -ffile-prefix-map=${CMAKE_SOURCE_DIR}=.)
endif()

set(BASALT_SANITIZE "" CACHE STRING "Sanitizers to build with, as -fsanitize takes them")
if(BASALT_SANITIZE)
  add_compile_options(-fsanitize=${BASALT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${BASALT_SANITIZE})
  if(BASALT_SANITIZE MATCHES "thread")
    # TSan does not know fences. Handlers pass between threads under Asio's own lock, which it knows.
    add_compile_definitions(BOOST_ASIO_DISABLE_FENCED_BLOCK)
  endif()
  if(BASALT_SANITIZE MATCHES "address")
    add_compile_options(-fsanitize-coverage=trace-cmp)  # guides the fuzzers: fuzz/coverage.h
  endif()
endif()

# The compiler collects its garbage when there is a gigabyte of it, and so hardly ever: an eighth of its time.
add_compile_options(--param=ggc-min-heapsize=1000000)

# The standard library checks its preconditions wherever nobody ships the result.
add_compile_definitions($<$<NOT:$<CONFIG:Release>>:_GLIBCXX_ASSERTIONS>)

find_program(CCACHE ccache)
if(CCACHE)
  # With what ccache asks for to keep files that start from a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
  add_compile_options(-fpch-preprocess)
endif()
find_program(MOLD mold)
if(MOLD)
  add_link_options(-fuse-ld=mold)
endif()

find_package(Threads REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(Boost 1.81 REQUIRED COMPONENTS json url)
find_package(simdjson REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(CLI11 REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(GTest REQUIRED)
find_package(benchmark REQUIRED)

add_library(basalt_options INTERFACE)
target_compile_options(basalt_options INTERFACE -Wall -Wextra -Werror -Wno-missing-field-initializers
  -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wold-style-cast)
target_include_directories(basalt_options INTERFACE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR})
target_compile_definitions(basalt_options INTERFACE BASALT_VERSION="${PROJECT_VERSION}"
  BOOST_ASIO_NO_DEPRECATED BOOST_ASIO_SEPARATE_COMPILATION BOOST_BEAST_SEPARATE_COMPILATION)
target_link_libraries(basalt_options INTERFACE Threads::Threads Boost::headers Boost::json fmt::fmt)

# What nearly every file includes, compiled once, and once more with GoogleTest for tests. Files
# still include what they use: `checkheaders` compiles headers without it.
option(BASALT_PCH "Precompile the headers that nearly every file includes" ON)
set(BASALT_COMMON_HEADERS <algorithm> <chrono> <cstdint> <deque> <expected> <functional> <map>
  <memory> <optional> <set> <string> <string_view> <utility> <vector> <fmt/format.h>
  <boost/json/array.hpp> <boost/json/object.hpp> <boost/json/parse.hpp> <boost/json/serialize.hpp>
  <boost/json/value.hpp> <boost/unordered/unordered_flat_map.hpp>)
# The code under test is optimised and hardened; optimising the tests themselves, or hardening them, only costs
# build time, and std::move is no function that a test has to call. Nor, with sanitizers, are checks of every
# pointer that a test follows worth their time: ASan sees what is wrong with them.
set(BASALT_TEST_OPTIONS $<$<CONFIG:Release>:-O0> $<$<CONFIG:Release>:-U_FORTIFY_SOURCE> -ffold-simple-inlines
  -fno-stack-protector -fno-stack-clash-protection -fcf-protection=none)
if(BASALT_SANITIZE)
  list(APPEND BASALT_TEST_OPTIONS -O0)
endif()
if(BASALT_SANITIZE MATCHES "undefined")
  list(APPEND BASALT_TEST_OPTIONS -fno-sanitize=null,alignment,object-size,vptr)
endif()
if(BASALT_PCH)
  file(WRITE ${CMAKE_BINARY_DIR}/basalt_pch.cc "")
  foreach(pch basalt_pch basalt_test_pch)
    add_library(${pch} OBJECT ${CMAKE_BINARY_DIR}/basalt_pch.cc)
    # All that any folder links with a definition of its own: definitions must be the same everywhere.
    target_link_libraries(${pch} PRIVATE basalt_options spdlog::spdlog)
    target_precompile_headers(${pch} PRIVATE ${BASALT_COMMON_HEADERS})
  endforeach()
  target_link_libraries(basalt_test_pch PRIVATE GTest::gmock)
  target_compile_options(basalt_test_pch PRIVATE ${BASALT_TEST_OPTIONS})
  target_precompile_headers(basalt_test_pch PRIVATE <gmock/gmock.h> <gtest/gtest.h>)
  # For those who work in a scheduler's session: it costs each file that includes it two seconds.
  add_library(basalt_session_pch OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/basalt_pch.cc)
  target_link_libraries(basalt_session_pch PRIVATE basalt_options spdlog::spdlog)
  target_precompile_headers(basalt_session_pch PRIVATE ${BASALT_COMMON_HEADERS}
    ${CMAKE_SOURCE_DIR}/src/scheduler/framework/session.h)
  # The same for tests of whatever stands on the framework.
  add_library(basalt_session_test_pch OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/basalt_pch.cc)
  target_link_libraries(basalt_session_test_pch PRIVATE basalt_options spdlog::spdlog GTest::gmock)
  target_compile_options(basalt_session_test_pch PRIVATE ${BASALT_TEST_OPTIONS})
  target_precompile_headers(basalt_session_test_pch PRIVATE ${BASALT_COMMON_HEADERS} <gmock/gmock.h>
    <gtest/gtest.h> ${CMAKE_SOURCE_DIR}/src/scheduler/framework/session.h)
endif()

# basalt_precompile(TARGET [PCH]): TARGET starts from what was precompiled.
function(basalt_precompile target)
  if(BASALT_PCH AND ARGC GREATER 1)
    target_precompile_headers(${target} REUSE_FROM ${ARGV1})
  elseif(BASALT_PCH)
    target_precompile_headers(${target} REUSE_FROM basalt_pch)
  endif()
endfunction()

# Most of what a file costs is what it includes. A full build compiles neighbours together and pays
# that once for each group; a developer's build compiles each file alone, so that a change costs one.
option(BASALT_GROUPED "Compile the files of a folder in groups, as scripts/build and scripts/test do" OFF)
set(BASALT_GROUP_BYTES 140000)

# basalt_group(TARGET SOURCES... [ALONE ...]): SOURCES, in order, in groups of about equal size. What
# is ALONE stays out: files that set macros, and files whose headers take longer than their neighbours.
function(basalt_group target)
  cmake_parse_arguments(ARG "" "" "ALONE" ${ARGN})
  if(NOT BASALT_GROUPED)
    return()
  endif()
  set(group 0)
  set(bytes 0)
  foreach(source ${ARG_UNPARSED_ARGUMENTS})
    get_filename_component(name ${source} NAME)
    if(name IN_LIST ARG_ALONE)
      continue()
    endif()
    file(SIZE ${source} size)
    math(EXPR bytes "${bytes} + ${size}")
    if(bytes GREATER BASALT_GROUP_BYTES)
      math(EXPR group "${group} + 1")
      set(bytes ${size})
    endif()
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # GCC takes what is in a group for headers, whose classes may not have fields of file-local types.
  target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
endfunction()

# basalt_folder(NAME [RECURSE] [LIGHT] [SESSION] [DEPS ...] [TEST_DEPS ...] [ALONE ...])
# The folder's *.cc become the library NAME, its *_test.cc the test program NAME_test. With
# RECURSE the folders below belong to it too. LIGHT: its speed is no feature, and compiling it with
# -O1 takes a third less. SESSION: most of its files work in a scheduler's session. ALONE: see
# basalt_group.
function(basalt_folder name)
  cmake_parse_arguments(ARG "RECURSE;LIGHT;SESSION" "" "DEPS;TEST_DEPS;ALONE" ${ARGN})
  set(glob GLOB)
  if(ARG_RECURSE)
    set(glob GLOB_RECURSE)
  endif()
  file(${glob} sources CONFIGURE_DEPENDS *.cc)
  file(${glob} headers CONFIGURE_DEPENDS *.h)
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  set_property(GLOBAL APPEND PROPERTY BASALT_HEADERS ${headers})
  if(sources)
    add_library(${name} STATIC ${sources})
    target_link_libraries(${name} PUBLIC basalt_options ${ARG_DEPS})
    if(ARG_SESSION AND BASALT_GROUPED)
      basalt_precompile(${name} basalt_session_pch)
    else()
      basalt_precompile(${name})
    endif()
    basalt_group(${name} ${sources} ALONE ${ARG_ALONE})
    if(ARG_LIGHT)
      target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
    endif()
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE basalt_options ${ARG_DEPS})
  endif()
  if(tests)
    basalt_test(${name}_test ${tests} DEPS ${name} ${ARG_TEST_DEPS} ALONE ${ARG_ALONE})
  endif()
endfunction()

# basalt_test(NAME sources... DEPS ... [ALONE ...]): a GoogleTest program that ctest runs as NAME.
function(basalt_test name)
  cmake_parse_arguments(ARG "" "" "DEPS;ALONE" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} GTest::gmock GTest::gtest_main)
  target_compile_options(${name} PRIVATE ${BASALT_TEST_OPTIONS})
  if(BASALT_GROUPED AND ARG_DEPS MATCHES "basalt_(scheduler|descheduler_pl|testing_s)")
    basalt_precompile(${name} basalt_session_test_pch)
  else()
    basalt_precompile(${name} basalt_test_pch)
  endif()
  set(BASALT_GROUP_BYTES 160000)  # with -O0 what files share is most of what they cost
  basalt_group(${name} ${ARG_UNPARSED_ARGUMENTS} ALONE ${ARG_ALONE})
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 600)
endfunction()

# `checkheaders` compiles every header on its own, which proves that each includes what it uses. A
# header that its own .cc includes first is proved by that already.
function(basalt_add_header_check)
  get_property(headers GLOBAL PROPERTY BASALT_HEADERS)
  set(stubs "")
  foreach(header ${headers})
    string(REGEX REPLACE "\\.h$" ".cc" source ${header})
    if(EXISTS ${source})
      file(STRINGS ${source} first REGEX "^#include" LIMIT_COUNT 1)
      string(REGEX REPLACE "^#include \"(.*)\".*$" "\\1" first "${first}")
      string(FIND "${header}" "/${first}" at REVERSE)
      if(NOT at EQUAL -1 AND first)
        continue()
      endif()
    endif()
    file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR} ${header})
    set(stub ${CMAKE_BINARY_DIR}/checkheaders/${path}.cc)
    file(CONFIGURE OUTPUT ${stub} CONTENT "#include \"@header@\"\n" @ONLY)
    list(APPEND stubs ${stub})
  endforeach()
  add_library(checkheaders OBJECT EXCLUDE_FROM_ALL ${stubs})
  target_compile_options(checkheaders PRIVATE -O0)
  target_link_libraries(checkheaders PRIVATE basalt_options GTest::gmock)
endfunction()

# basalt_deps_of(SOURCE OUT): the libraries that the first line of SOURCE names, `// deps: a b`.
function(basalt_deps_of source out)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  file(STRINGS ${source} first LIMIT_COUNT 1)
  if(NOT first MATCHES "^// deps:(.*)$")
    message(FATAL_ERROR "${source}: the first line must name its libraries: // deps: LIBRARY...")
  endif()
  string(STRIP "${CMAKE_MATCH_1}" deps)
  string(REGEX REPLACE "[ ,]+" ";" deps "${deps}")
  set(${out} ${deps} PARENT_SCOPE)
endfunction()
