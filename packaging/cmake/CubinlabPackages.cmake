# SPDX-License-Identifier: GPL-3.0-or-later
# Debian packages, by `cpack` in the build folder (packaging/deb.sh): one for each group of components. Besides what
# `cmake --install` installs, a package has the changelog and the copyright file that Debian asks for; those are
# components of their own, which only a package takes.
# A package has to name a maintainer with an address. Whoever makes it for others says so as Debian's tools have it; a
# package that nobody answers for names an address that can be nobody's.
set(contact "CubinLab developers <noreply@cubinlab.invalid>")
if(NOT "$ENV{DEBEMAIL}" STREQUAL "" AND NOT "$ENV{DEBFULLNAME}" STREQUAL "")
  set(contact "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
endif()
set(CUBINLAB_CONTACT "${contact}" CACHE STRING "Maintainer of the packages")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME cubinlab)
set(CPACK_PACKAGE_VENDOR CubinLab)
set(CPACK_PACKAGE_CONTACT ${CUBINLAB_CONTACT})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)

# In English for every locale of the builder; SOURCE_DATE_EPOCH replaces the present time.
string(TIMESTAMP built_on "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(CPACK_COMPONENTS_ALL)

# cubinlab_package(COMPONENT NAME SUMMARY DEPENDS RECOMMENDS DESCRIPTION)
function(cubinlab_package component package summary depends recommends description)
  set(files ${CMAKE_BINARY_DIR}/debian/${package})
  configure_file(packaging/debian/changelog.in ${files}/changelog @ONLY)
  set(doc ${CMAKE_INSTALL_DATADIR}/doc/${package})
  install(FILES packaging/debian/copyright DESTINATION ${doc} COMPONENT ${component}_debian EXCLUDE_FROM_ALL)
  if(CUBINLAB_GZIP)
    execute_process(COMMAND ${CUBINLAB_GZIP} -9nc ${files}/changelog OUTPUT_FILE ${files}/changelog.gz)
    install(FILES ${files}/changelog.gz DESTINATION ${doc} COMPONENT ${component}_debian EXCLUDE_FROM_ALL)
  endif()
  string(TOUPPER ${component} upper)
  set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} ${component} ${component}_debian PARENT_SCOPE)
  set(CPACK_COMPONENT_${upper}_GROUP ${component} PARENT_SCOPE)
  set(CPACK_COMPONENT_${upper}_DEBIAN_GROUP ${component} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${depends}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_RECOMMENDS "${recommends}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${summary}\n${description}" PARENT_SCOPE)
endfunction()

set(graphical)
if(CUBINLAB_UI)
  set(graphical ", fonts-dejavu-core, qt6-wayland")
endif()
cubinlab_package(cubinlab cubinlab "workbench for the schedules of CUDA kernels"
  "cubinlab-bench-worker (= ${PROJECT_VERSION})" "cubinlab-agent${graphical}"
  "Opens a CUDA cubin, program or library and shows the compiler's machine code
next to a candidate that is edited by hand or by an agent. The candidate is
proven to be the same program in another order, measured on a GPU and
exported; every edit is kept in one file and can be replayed.")
install(FILES packaging/debian/lintian-overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides RENAME cubinlab
  COMPONENT cubinlab_debian EXCLUDE_FROM_ALL)
cubinlab_package(worker cubinlab-bench-worker "measures CUDA kernels for CubinLab" "" ""
  "The process of CubinLab that opens the GPU. It is enough on a machine that
only measures: the workbench starts it there, through ssh for example, and
speaks to it on its standard input and output. It needs the NVIDIA driver.")
if(TARGET cubinlab_agent)
  cubinlab_package(agent cubinlab-agent "neural agents of CubinLab" "cubinlab (= ${PROJECT_VERSION})" ""
    "The agents of CubinLab that learn while they search. They are a module of
their own because they need LibTorch; every other agent works without it.")
endif()
include(CPack)
