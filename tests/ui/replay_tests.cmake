# SPDX-License-Identifier: GPL-3.0-or-later
# Replay in the window, and the promises of every model in it.
add_executable(test_ui_replay main.cpp replay_test.cpp panels_models_test.cpp)
target_link_libraries(test_ui_replay PRIVATE cubinlab_options cubinlab_ui Qt6::Test Catch2::Catch2)
if(CUBINLAB_CATCH2_V2)
  target_compile_definitions(test_ui_replay PRIVATE CATCH2_V2)
endif()
target_compile_definitions(test_ui_replay PRIVATE CUBINLAB_SAMPLES="${CMAKE_SOURCE_DIR}/samples"
  CUBINLAB_BINARY_DIR="${CMAKE_BINARY_DIR}")
cubinlab_precompile(qt_tests test_ui_replay)
cubinlab_quick_to_build(test_ui_replay)
set_target_properties(test_ui_replay PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
add_dependencies(test_ui_replay cubinlab)
add_test(NAME test_ui_replay COMMAND test_ui_replay)
set_tests_properties(test_ui_replay PROPERTIES TIMEOUT 600 ENVIRONMENT "QT_QPA_PLATFORM=offscreen")
