# SPDX-License-Identifier: GPL-3.0-or-later
# Tests of graphs and panels. The widget tests have a main of their own (QApplication, warnings fail).
cubinlab_test(test_ui_graph_layout SOURCES graph_layout_test.cpp graph_loop_test.cpp LIBS cubinlab_ui_graph)
cubinlab_test(test_ui_curves SOURCES panels_curves_test.cpp LIBS cubinlab_ui_panels)

add_executable(test_ui_panels
  graph_view_test.cpp panels_main.cpp panels_log_test.cpp panels_agent_test.cpp panels_chart_test.cpp panels_views_test.cpp
  ${CMAKE_SOURCE_DIR}/resources/icons/icons.qrc)  # the theme's pictures live in it
target_link_libraries(test_ui_panels PRIVATE cubinlab_options cubinlab_ui_graph cubinlab_ui_panels Qt6::Test Qt6::Svg)
if(CUBINLAB_CATCH2_V2)
  target_link_libraries(test_ui_panels PRIVATE Catch2::Catch2)
  target_compile_definitions(test_ui_panels PRIVATE CATCH2_V2)
else()
  target_link_libraries(test_ui_panels PRIVATE Catch2::Catch2)
endif()
target_compile_definitions(test_ui_panels PRIVATE CUBINLAB_SAMPLES="${CMAKE_SOURCE_DIR}/samples")
cubinlab_precompile(qt_tests test_ui_panels)
cubinlab_quick_to_build(test_ui_panels)
set_target_properties(test_ui_panels PROPERTIES AUTORCC ON RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
add_test(NAME test_ui_panels COMMAND test_ui_panels)
set_tests_properties(test_ui_panels PROPERTIES TIMEOUT 300 ENVIRONMENT "QT_QPA_PLATFORM=offscreen")
