# SPDX-License-Identifier: GPL-3.0-or-later
# Tuning by hand and the listing's columns, through keys and mouse.
add_executable(test_ui_hand main.cpp hand_drag_test.cpp hand_editor_test.cpp hand_gpu_test.cpp hand_history_test.cpp
  hand_input_test.cpp hand_listing_test.cpp hand_profile_test.cpp)
target_link_libraries(test_ui_hand PRIVATE cubinlab_options cubinlab_ui Qt6::Test Catch2::Catch2)
if(CUBINLAB_CATCH2_V2)
  target_compile_definitions(test_ui_hand PRIVATE CATCH2_V2)
endif()
target_compile_definitions(test_ui_hand PRIVATE CUBINLAB_SAMPLES="${CMAKE_SOURCE_DIR}/samples"
  CUBINLAB_TEST_DATA="${CMAKE_SOURCE_DIR}/tests/data" CUBINLAB_BINARY_DIR="${CMAKE_BINARY_DIR}")
add_dependencies(test_ui_hand fake_bench_worker)
cubinlab_precompile(qt_tests test_ui_hand)
cubinlab_quick_to_build(test_ui_hand)
set_target_properties(test_ui_hand PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
add_test(NAME test_ui_hand COMMAND test_ui_hand)
set_tests_properties(test_ui_hand PROPERTIES TIMEOUT 600 ENVIRONMENT "QT_QPA_PLATFORM=offscreen")
