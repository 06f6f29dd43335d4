# SPDX-License-Identifier: GPL-3.0-or-later
# Qt 6.4+, QScintilla and QCustomPlot, both built for Qt 6. Included at the top level, so that the window, the
# program and the tests all see the targets.
find_package(Qt6 6.4 REQUIRED COMPONENTS Core Gui Widgets Svg PrintSupport)
find_package(Qt6 6.4 QUIET COMPONENTS DBus)  # of qt6-base-dev; tells when the desktop turns dark
if(CUBINLAB_TESTS)
  find_package(Qt6 6.4 REQUIRED COMPONENTS Test)
endif()

# QScintilla has no CMake package. After Qt6, whose include folder is a hint.
find_path(QSCINTILLA_INCLUDE_DIR NAMES Qsci/qsciscintilla.h
  HINTS ${Qt6Core_INCLUDE_DIRS} ${Qt6Widgets_INCLUDE_DIRS} PATH_SUFFIXES qt6 x86_64-linux-gnu/qt6 REQUIRED)
find_library(QSCINTILLA_LIBRARY NAMES qscintilla2_qt6 REQUIRED)
add_library(cubinlab_qscintilla INTERFACE)
target_include_directories(cubinlab_qscintilla SYSTEM INTERFACE ${QSCINTILLA_INCLUDE_DIR})
target_link_libraries(cubinlab_qscintilla INTERFACE ${QSCINTILLA_LIBRARY} Qt6::Widgets Qt6::PrintSupport)
target_compile_definitions(cubinlab_qscintilla INTERFACE QSCINTILLA_DLL)

find_path(QCUSTOMPLOT_INCLUDE_DIR NAMES qcustomplot.h REQUIRED)
find_library(QCUSTOMPLOT_LIBRARY NAMES QCustomPlotQt6 qcustomplotqt6 REQUIRED)
add_library(cubinlab_qcustomplot INTERFACE)
target_include_directories(cubinlab_qcustomplot SYSTEM INTERFACE ${QCUSTOMPLOT_INCLUDE_DIR})
target_link_libraries(cubinlab_qcustomplot INTERFACE ${QCUSTOMPLOT_LIBRARY} Qt6::Widgets Qt6::PrintSupport)
target_compile_definitions(cubinlab_qcustomplot INTERFACE QCUSTOMPLOT_USE_LIBRARY)
