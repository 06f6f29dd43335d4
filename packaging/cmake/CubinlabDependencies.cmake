# SPDX-License-Identifier: GPL-3.0-or-later
# Every third-party library of core and the command line. CUBINLAB_DEPS names a folder of unpacked
# development packages (DEPS/usr/include, DEPS/usr/lib/...), for machines that reach no package registry.
if(CUBINLAB_DEPS)
  list(PREPEND CMAKE_PREFIX_PATH ${CUBINLAB_DEPS}/usr ${CUBINLAB_DEPS}/usr/lib/x86_64-linux-gnu)
  list(PREPEND CMAKE_LIBRARY_PATH ${CUBINLAB_DEPS}/usr/lib/x86_64-linux-gnu)
  list(PREPEND CMAKE_INCLUDE_PATH ${CUBINLAB_DEPS}/usr/include)
endif()

find_package(Threads REQUIRED)
find_package(fmt 8 REQUIRED)
find_package(tl-expected REQUIRED)
find_package(nlohmann_json 3.10 REQUIRED)
find_package(SQLite3 3.37 REQUIRED)

find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
add_library(cubinlab_xxhash INTERFACE)
target_include_directories(cubinlab_xxhash SYSTEM INTERFACE ${XXHASH_INCLUDE_DIR})

find_path(ZSTD_INCLUDE_DIR zstd.h REQUIRED)
find_library(ZSTD_LIBRARY zstd REQUIRED)
add_library(cubinlab_zstd INTERFACE)
target_include_directories(cubinlab_zstd SYSTEM INTERFACE ${ZSTD_INCLUDE_DIR})
target_link_libraries(cubinlab_zstd INTERFACE ${ZSTD_LIBRARY})
# For what is copied to other machines by itself.
find_library(CUBINLAB_ZSTD_STATIC libzstd.a)
add_library(cubinlab_zstd_inside INTERFACE)
target_include_directories(cubinlab_zstd_inside SYSTEM INTERFACE ${ZSTD_INCLUDE_DIR})
target_link_libraries(cubinlab_zstd_inside INTERFACE $<IF:$<BOOL:${CUBINLAB_ZSTD_STATIC}>,${CUBINLAB_ZSTD_STATIC},${ZSTD_LIBRARY}>)

find_path(LZ4_INCLUDE_DIR lz4.h REQUIRED)
find_library(LZ4_LIBRARY lz4 REQUIRED)
add_library(cubinlab_lz4 INTERFACE)
target_include_directories(cubinlab_lz4 SYSTEM INTERFACE ${LZ4_INCLUDE_DIR})
target_link_libraries(cubinlab_lz4 INTERFACE ${LZ4_LIBRARY})

if(CUBINLAB_TESTS)
  find_package(Catch2 3 QUIET)
  if(Catch2_FOUND)
    set(CUBINLAB_CATCH2_V2 OFF)
  else()
    find_package(Catch2 2.13 REQUIRED)
    set(CUBINLAB_CATCH2_V2 ON)
    # A name that finds no case fails, as it does in version 3: names with a semicolon once came to ctest in pieces, and the pieces passed.
    set(CUBINLAB_NO_TESTS_FAIL --warn NoTests)
  endif()
  include(Catch)
endif()

if(CUBINLAB_UI)
  include(CubinlabUiDependencies)
endif()
