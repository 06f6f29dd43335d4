# SPDX-License-Identifier: GPL-3.0-or-later
# Catalogues of resources/translations, compiled into the window. They need Qt's lrelease (Debian: qt6-l10n-tools); without
# it everything but the other languages is built.
#   CUBINLAB_TRANSLATIONS   AUTO: where lrelease is found; ON: it has to be; OFF
set(CUBINLAB_TRANSLATIONS AUTO CACHE STRING "Catalogues of translations: AUTO, ON or OFF")
if(CUBINLAB_TRANSLATIONS STREQUAL "OFF")
  return()
endif()
find_program(CUBINLAB_LRELEASE NAMES lrelease lrelease-qt6 lrelease6 HINTS /usr/lib/qt6/bin /usr/lib64/qt6/bin)
set(works 1)
if(CUBINLAB_LRELEASE)
  # A chooser between Qt 5 and Qt 6 may stand where none of them is.
  execute_process(COMMAND ${CUBINLAB_LRELEASE} -version RESULT_VARIABLE works OUTPUT_QUIET ERROR_QUIET)
endif()
if(NOT works EQUAL 0)
  if(CUBINLAB_TRANSLATIONS STREQUAL "AUTO")
    message(STATUS "No lrelease (qt6-l10n-tools): the window is English only")
    return()
  endif()
  message(FATAL_ERROR "CUBINLAB_TRANSLATIONS=ON needs Qt 6's lrelease (Debian: qt6-l10n-tools)")
endif()

file(GLOB catalogues CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/resources/translations/cubinlab_*.ts)
set(folder ${CMAKE_BINARY_DIR}/translations)
set(listed)
set(compiled)
foreach(catalogue ${catalogues})
  get_filename_component(name ${catalogue} NAME_WE)
  add_custom_command(OUTPUT ${folder}/${name}.qm
    COMMAND ${CUBINLAB_LRELEASE} -silent ${catalogue} -qm ${folder}/${name}.qm DEPENDS ${catalogue} VERBATIM)
  list(APPEND compiled ${folder}/${name}.qm)
  string(APPEND listed "<file>${name}.qm</file>")
endforeach()
file(CONFIGURE OUTPUT ${folder}/translations.qrc CONTENT "<RCC><qresource prefix=\"/translations\">${listed}</qresource></RCC>\n")
add_custom_command(OUTPUT ${folder}/translations.cpp
  COMMAND Qt6::rcc --format-version 1 --name translations --output ${folder}/translations.cpp ${folder}/translations.qrc
  DEPENDS ${compiled} ${folder}/translations.qrc VERBATIM)
target_sources(cubinlab_ui PRIVATE ${folder}/translations.cpp)
set_source_files_properties(${folder}/translations.cpp PROPERTIES SKIP_AUTOGEN ON SKIP_PRECOMPILE_HEADERS ON)
set_source_files_properties(language.cpp PROPERTIES COMPILE_DEFINITIONS CUBINLAB_TRANSLATIONS)
