# SPDX-License-Identifier: GPL-3.0-or-later
# Three components, which are the three packages of packaging/deb.sh as well: the program, the agent module (LibTorch),
# and the worker alone, for machines that only measure.
include(GNUInstallDirs)
install(TARGETS cubinlab RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT cubinlab)
install(TARGETS cubinlab-bench-worker RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT worker)
if(TARGET cubinlab_agent)
  install(TARGETS cubinlab_agent LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/cubinlab COMPONENT agent)
endif()
if(TARGET cubinlab-inject)
  install(TARGETS cubinlab-inject LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/cubinlab COMPONENT cubinlab)
endif()
set(data ${CMAKE_INSTALL_DATADIR})
set(doc ${data}/doc/cubinlab)
if(NOT "$CACHE{CMAKE_INSTALL_DOCDIR}" STREQUAL "")
  set(doc ${CMAKE_INSTALL_DOCDIR})
endif()
install(DIRECTORY samples DESTINATION ${data}/cubinlab COMPONENT cubinlab)
install(DIRECTORY resources/docs/ DESTINATION ${doc} COMPONENT cubinlab)
install(FILES LICENSE DESTINATION ${doc} COMPONENT cubinlab)
install(FILES packaging/desktop/cubinlab.desktop DESTINATION ${data}/applications COMPONENT cubinlab)
# Software centres fetch pictures from the web, and take no other address: who publishes a package says where its
# resources/docs/images lie. With no address there are no pictures in it.
set(CUBINLAB_PICTURES_URL "" CACHE STRING "Web address of the folder resources/docs/images, for AppStream")
set(CUBINLAB_SCREENSHOTS "")
if(CUBINLAB_PICTURES_URL)
  set(CUBINLAB_SCREENSHOTS "  <screenshots>
    <screenshot type=\"default\">
      <caption>The compiler's schedule, the agent's best and the dependences of the hot loop</caption>
      <image>${CUBINLAB_PICTURES_URL}/window.png</image>
    </screenshot>
    <screenshot>
      <caption>Which warp issues what in which cycle, by the model</caption>
      <image>${CUBINLAB_PICTURES_URL}/timeline.png</image>
    </screenshot>
  </screenshots>
")
endif()
configure_file(packaging/desktop/cubinlab.metainfo.xml.in ${CMAKE_BINARY_DIR}/desktop/cubinlab.metainfo.xml @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/desktop/cubinlab.metainfo.xml DESTINATION ${data}/metainfo COMPONENT cubinlab)
install(FILES packaging/desktop/cubinlab-mime.xml DESTINATION ${data}/mime/packages RENAME cubinlab.xml COMPONENT cubinlab)
install(FILES resources/icons/cubinlab.svg DESTINATION ${data}/icons/hicolor/scalable/apps COMPONENT cubinlab)

# Manual page and completion are what the program says of itself.
set(said ${CMAKE_BINARY_DIR}/said)
file(MAKE_DIRECTORY ${said})
set(words_manual manual)
set(words_bash completion bash)
foreach(what manual bash)
  add_custom_command(OUTPUT ${said}/${what} COMMAND cubinlab ${words_${what}} > ${said}/${what} DEPENDS cubinlab VERBATIM)
endforeach()
find_program(CUBINLAB_GZIP gzip)
if(CUBINLAB_GZIP)
  add_custom_command(OUTPUT ${said}/cubinlab.1.gz COMMAND ${CUBINLAB_GZIP} -9nc ${said}/manual > ${said}/cubinlab.1.gz
    DEPENDS ${said}/manual VERBATIM)
  set(page ${said}/cubinlab.1.gz)
else()
  set(page ${said}/cubinlab.1)
  add_custom_command(OUTPUT ${page} COMMAND ${CMAKE_COMMAND} -E copy ${said}/manual ${page} DEPENDS ${said}/manual)
endif()
set(worker_page ${CMAKE_SOURCE_DIR}/packaging/man/cubinlab-bench-worker.1)
if(CUBINLAB_GZIP)
  add_custom_command(OUTPUT ${said}/cubinlab-bench-worker.1.gz
    COMMAND ${CUBINLAB_GZIP} -9nc ${worker_page} > ${said}/cubinlab-bench-worker.1.gz DEPENDS ${worker_page} VERBATIM)
  set(worker_page ${said}/cubinlab-bench-worker.1.gz)
endif()
add_custom_target(cubinlab_said ALL DEPENDS ${page} ${worker_page} ${said}/bash)
add_dependencies(cubinlab_programs cubinlab_said)
install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT cubinlab)
install(FILES ${worker_page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT worker)
install(FILES ${said}/bash DESTINATION ${data}/bash-completion/completions RENAME cubinlab COMPONENT cubinlab)

include(CubinlabPackages)
