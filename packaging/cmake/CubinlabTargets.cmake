# SPDX-License-Identifier: GPL-3.0-or-later
# How every target of the project is built: language level, warnings, sanitizers, output folders.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# Without the times of the files, which differ from checkout to checkout.
set(CMAKE_AUTORCC_OPTIONS --format-version 1)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

# Not for work on the code: a change compiles its neighbours too, and a source that forgets an include is not noticed.
set(CMAKE_UNITY_BUILD ${CUBINLAB_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 12)
# A unit of many sources fills GCC's heap repeatedly. Garbage collection costs a twentieth of the time and frees little.
set(CUBINLAB_COMPILER_HEAP "" CACHE STRING "Kilobytes below which GCC does not collect its heap (packaging/build.sh, where there is memory)")
if(CUBINLAB_COMPILER_HEAP AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(--param=ggc-min-heapsize=${CUBINLAB_COMPILER_HEAP})
endif()
# Sixty test programs are linked; these linkers take a third of the time of GNU ld. Installed programs use the builder's linker.
set(CUBINLAB_TEST_LINKER "")
if(NOT CMAKE_EXE_LINKER_FLAGS MATCHES "-fuse-ld")
  include(CheckLinkerFlag)
  foreach(linker mold lld gold)
    check_linker_flag(CXX -fuse-ld=${linker} CUBINLAB_LINKER_${linker})
    if(CUBINLAB_LINKER_${linker})
      set(CUBINLAB_TEST_LINKER -fuse-ld=${linker})
      break()
    endif()
  endforeach()
endif()

find_program(CUBINLAB_CCACHE ccache)
if(CUBINLAB_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CUBINLAB_CCACHE})
endif()

add_library(cubinlab_options INTERFACE)
target_compile_options(cubinlab_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow
  $<$<BOOL:${CUBINLAB_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Release builds of GCC 12 report false positives of these inside the standard library's own headers.
  target_compile_options(cubinlab_options INTERFACE
    $<$<CONFIG:Release,RelWithDebInfo>:-Wno-error=maybe-uninitialized -Wno-error=restrict
      -Wno-error=stringop-overflow -Wno-error=array-bounds -Wno-error=free-nonheap-object>)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  # GCC 13 takes every reference that a function with a temporary argument returns for a dangling one.
  target_compile_options(cubinlab_options INTERFACE -Wno-dangling-reference)
endif()
target_include_directories(cubinlab_options INTERFACE ${CMAKE_SOURCE_DIR})
if(CUBINLAB_SANITIZE)
  add_compile_options(-fsanitize=${CUBINLAB_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${CUBINLAB_SANITIZE})
endif()

if(CUBINLAB_FUZZ AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  add_compile_options(-fsanitize=fuzzer-no-link)
elseif(CUBINLAB_FUZZ)  # tests/fuzz/guided_main.cpp has what these call
  add_compile_options(-fsanitize-coverage=trace-pc,trace-cmp)
endif()

# cubinlab_library(NAME [FMT_INSIDE] SOURCES ... LIBS ...): one static library of core/ or ui/.
# FMT_INSIDE: its objects are the worker's too, which brings no shared library of fmt.
function(cubinlab_library name)
  cmake_parse_arguments(ARG "FMT_INSIDE" "" "SOURCES;LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC cubinlab_options ${ARG_LIBS})
  if(ARG_FMT_INSIDE)
    target_compile_definitions(${name} PRIVATE FMT_HEADER_ONLY=1)
    cubinlab_precompile(worker ${name})
  elseif(name MATCHES "^cubinlab_ui")
    cubinlab_precompile(qt ${name})
  elseif("nlohmann_json::nlohmann_json" IN_LIST ARG_LIBS)
    cubinlab_precompile(json ${name})
  else()
    cubinlab_precompile(core ${name})
  endif()
endfunction()

# What waits for others (files, processes, people): optimising more than this costs more than it brings.
function(cubinlab_quick_to_build)
  foreach(target ${ARGN})
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O1>)
  endforeach()
endfunction()

# Tests call what is optimised, and are run once or twice for each time that they are compiled. Precompiled headers that
# they use have to be compiled so, too.
function(cubinlab_not_optimised)
  foreach(target ${ARGN})
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O0>)
  endforeach()
endfunction()

# Programs of the tests that have no Catch2 in them: the headers of the libraries, so position-independent as those are.
function(cubinlab_test_program)
  foreach(target ${ARGN})
    target_link_libraries(${target} PRIVATE cubinlab_options fmt::fmt nlohmann_json::nlohmann_json)
    target_compile_options(${target} PRIVATE -fPIC)
    target_link_options(${target} PRIVATE ${CUBINLAB_TEST_LINKER})
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    cubinlab_precompile(json ${target})
  endforeach()
  cubinlab_quick_to_build(${ARGN})
endfunction()

# Sources that share names in their unnamed namespaces with others of their target.
function(cubinlab_alone)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# cubinlab_test(NAME SOURCES ... LIBS ... [PROPERTIES ...]): one Catch2 test binary; its cases become ctest entries. The COST
# of what takes long is for the first run of all, which has no times of an earlier one to begin with the longest.
function(cubinlab_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBS;PROPERTIES" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE cubinlab_options cubinlab_test_main cubinlab_test_support ${ARG_LIBS})
  target_link_options(${name} PRIVATE ${CUBINLAB_TEST_LINKER})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_compile_definitions(${name} PRIVATE
    CUBINLAB_TEST_DATA="${CMAKE_SOURCE_DIR}/tests/data" CUBINLAB_SAMPLES="${CMAKE_SOURCE_DIR}/samples"
    CUBINLAB_BINARY_DIR="${CMAKE_BINARY_DIR}")
  if("${ARG_LIBS}" MATCHES "cubinlab_ui")
    # Qt asks for -fPIC, which the headers of the other tests are not compiled with.
  else()
    cubinlab_precompile(tests ${name})
  endif()
  cubinlab_not_optimised(${name})
  catch_discover_tests(${name} TEST_PREFIX "${name}: " EXTRA_ARGS ${CUBINLAB_NO_TESTS_FAIL}
    PROPERTIES TIMEOUT 300 SKIP_REGULAR_EXPRESSION "SKIPPED, " ${ARG_PROPERTIES})
endfunction()

# cubinlab_ui_test(NAME SOURCES ... [LIBS ...] [TIMEOUT SECONDS] [COST NUMBER]): one Catch2 binary with a main of its own (QApplication
# on the offscreen platform, throw-away settings, warnings of Qt's fail); its cases become ctest entries.
function(cubinlab_ui_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT;COST" "SOURCES;LIBS" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  if(NOT ARG_COST)
    set(ARG_COST 2)
  endif()
  if(NOT ARG_LIBS)
    set(ARG_LIBS cubinlab_ui_test_main cubinlab_ui)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE cubinlab_options cubinlab_test_support ${ARG_LIBS} Qt6::Test)
  target_link_options(${name} PRIVATE ${CUBINLAB_TEST_LINKER})
  target_compile_definitions(${name} PRIVATE CUBINLAB_SAMPLES="${CMAKE_SOURCE_DIR}/samples"
    CUBINLAB_TEST_DATA="${CMAKE_SOURCE_DIR}/tests/data" CUBINLAB_BINARY_DIR="${CMAKE_BINARY_DIR}"
    CUBINLAB_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  set_target_properties(${name} PROPERTIES AUTORCC ON RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  cubinlab_precompile(qt_tests ${name})
  cubinlab_not_optimised(${name})
  add_dependencies(${name} cubinlab fake_bench_worker)
  catch_discover_tests(${name} TEST_PREFIX "${name}: " EXTRA_ARGS ${CUBINLAB_NO_TESTS_FAIL} PROPERTIES TIMEOUT ${ARG_TIMEOUT}
    SKIP_REGULAR_EXPRESSION "SKIPPED, " ENVIRONMENT "QT_QPA_PLATFORM=offscreen" COST ${ARG_COST})
endfunction()
