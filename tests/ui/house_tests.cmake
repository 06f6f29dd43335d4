# SPDX-License-Identifier: GPL-3.0-or-later
# Palette, settings, layouts, sessions, recovery, exports, tour: the whole window, with the window's main.
add_executable(test_ui_house main.cpp house_access_test.cpp house_files_test.cpp house_palette_test.cpp
  house_recovery_test.cpp house_settings_test.cpp house_texts_test.cpp house_tour_test.cpp house_trouble_test.cpp)
target_link_libraries(test_ui_house PRIVATE cubinlab_options cubinlab_ui Qt6::Test Catch2::Catch2)
if(CUBINLAB_CATCH2_V2)
  target_compile_definitions(test_ui_house PRIVATE CATCH2_V2)
endif()
target_compile_definitions(test_ui_house PRIVATE CUBINLAB_SAMPLES="${CMAKE_SOURCE_DIR}/samples"
  CUBINLAB_BINARY_DIR="${CMAKE_BINARY_DIR}" CUBINLAB_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
cubinlab_precompile(qt_tests test_ui_house)
cubinlab_quick_to_build(test_ui_house)
set_target_properties(test_ui_house PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
add_dependencies(test_ui_house cubinlab)
add_test(NAME test_ui_house COMMAND test_ui_house)
set_tests_properties(test_ui_house PROPERTIES TIMEOUT 600 ENVIRONMENT "QT_QPA_PLATFORM=offscreen")
