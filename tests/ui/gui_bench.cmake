# SPDX-License-Identifier: GPL-3.0-or-later
# The benchmark of the window: run by hand in a Release build, not by ctest (timing is not asserted in tests).
add_executable(cubinlab-gui-bench EXCLUDE_FROM_ALL gui_bench.cpp gui_bench_mixed.cpp
  gui_bench_program.cpp gui_bench_views.cpp heartbeat.cpp heartbeat.h stall_watch.cpp)
target_link_libraries(cubinlab-gui-bench PRIVATE cubinlab_options cubinlab_ui Qt6::Test nlohmann_json::nlohmann_json)
target_compile_definitions(cubinlab-gui-bench PRIVATE CUBINLAB_SAMPLES="${CMAKE_SOURCE_DIR}/samples"
  CUBINLAB_TEST_DATA="${CMAKE_SOURCE_DIR}/tests/data" CUBINLAB_BINARY_DIR="${CMAKE_BINARY_DIR}")
# Its sources share names in their unnamed namespaces.
set_target_properties(cubinlab-gui-bench PROPERTIES UNITY_BUILD OFF ENABLE_EXPORTS ON RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
add_dependencies(cubinlab-gui-bench window_scene)
