# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -DOUT=FILE -P commit.cmake: a header with the commit that is built, written only when it changed.
execute_process(COMMAND git describe --always --abbrev=12 --dirty --exclude=*
  WORKING_DIRECTORY ${CMAKE_CURRENT_LIST_DIR}/.. OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
execute_process(COMMAND git log -1 --format=%cs
  WORKING_DIRECTORY ${CMAKE_CURRENT_LIST_DIR}/.. OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
file(CONFIGURE OUTPUT ${OUT} CONTENT "#define CUBINLAB_COMMIT \"${commit}\"\n#define CUBINLAB_COMMIT_DATE \"${date}\"\n")
