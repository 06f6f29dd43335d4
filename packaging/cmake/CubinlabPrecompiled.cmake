# SPDX-License-Identifier: GPL-3.0-or-later
# Precompiled headers: reading the standard library, Qt, Catch2 and the JSON library is more than half of what a
# source file costs. Only headers of others are in them, so that nothing of ours is rebuilt for a header that it does
# not include; a source still includes what it uses (a build with -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON shows it).
# CLI11 is in none: what it defines in every source that sees it costs more than reading it, and four sources need it.
# Sources that no other target has compile the headers once for each kind:
#   core   standard library and fmt            json   core and the JSON library       worker  json, fmt inside
#   tests  json and Catch2                     qt     core and Qt Widgets          qt_tests  qt, Qt Test and Catch2
set(CUBINLAB_PRECOMPILED_core <algorithm> <array> <chrono> <cstdint> <cstring> <filesystem> <functional> <map> <memory>
  <mutex> <optional> <set> <span> <string> <string_view> <thread> <unordered_map> <vector> <fmt/format.h>)
set(CUBINLAB_PRECOMPILED_json ${CUBINLAB_PRECOMPILED_core} <fstream> <nlohmann/json.hpp>)
if(CUBINLAB_CATCH2_V2)
  set(catch <catch2/catch.hpp>)
else()
  set(catch <catch2/catch_all.hpp>)
endif()
set(CUBINLAB_PRECOMPILED_worker ${CUBINLAB_PRECOMPILED_json})
set(CUBINLAB_PRECOMPILED_tests ${CUBINLAB_PRECOMPILED_json} ${catch})
set(CUBINLAB_PRECOMPILED_qt ${CUBINLAB_PRECOMPILED_core} <QtWidgets>)
set(CUBINLAB_PRECOMPILED_qt_tests ${CUBINLAB_PRECOMPILED_qt} <QtTest> ${catch})

# The target that compiles the headers of a kind. Those of executables are not those of libraries (-fPIE, -fPIC).
function(cubinlab_precompiled_holder kind)
  set(holder cubinlab_precompiled_${kind})
  file(WRITE ${CMAKE_BINARY_DIR}/precompiled/${kind}.cpp.new "int main() { return 0; }\n")
  configure_file(${CMAKE_BINARY_DIR}/precompiled/${kind}.cpp.new ${CMAKE_BINARY_DIR}/precompiled/${kind}.cpp COPYONLY)
  if(kind MATCHES tests)
    add_executable(${holder} ${CMAKE_BINARY_DIR}/precompiled/${kind}.cpp)
    set_target_properties(${holder} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/precompiled)
    target_link_libraries(${holder} PRIVATE Catch2::Catch2 nlohmann_json::nlohmann_json)
    if(CUBINLAB_CATCH2_V2)
      target_compile_definitions(${holder} PRIVATE CATCH2_V2)
    endif()
    cubinlab_not_optimised(${holder})
  else()
    add_library(${holder} STATIC ${CMAKE_BINARY_DIR}/precompiled/${kind}.cpp)
  endif()
  target_link_libraries(${holder} PRIVATE cubinlab_options fmt::fmt nlohmann_json::nlohmann_json)
  if(kind STREQUAL "worker")
    target_compile_definitions(${holder} PRIVATE FMT_HEADER_ONLY=1)
  endif()
  if(kind MATCHES qt)
    target_link_libraries(${holder} PRIVATE Qt6::Widgets)
    target_compile_definitions(${holder} PRIVATE QT_NO_KEYWORDS)
  endif()
  if(kind STREQUAL "qt_tests")
    target_link_libraries(${holder} PRIVATE Qt6::Test)
  endif()
  set_target_properties(${holder} PROPERTIES AUTOMOC OFF AUTORCC OFF)
  target_precompile_headers(${holder} PRIVATE ${CUBINLAB_PRECOMPILED_${kind}})
endfunction()

# cubinlab_precompile(KIND TARGET...)
function(cubinlab_precompile kind)
  if(NOT TARGET cubinlab_precompiled_${kind})
    cubinlab_precompiled_holder(${kind})
  endif()
  foreach(target ${ARGN})
    target_precompile_headers(${target} REUSE_FROM cubinlab_precompiled_${kind})
  endforeach()
endfunction()
