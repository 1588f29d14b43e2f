# What `cmake --install` puts where: headers, libraries, the tool, polhode.pc and the CMake
# package, all of which may be moved together afterwards.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/polhode)

install(DIRECTORY include/polhode DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES include/polhode_step.h include/polhode_step.rs include/polhode_step.wgsl
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES bindings/fortran/polhode.f90 examples/md_loop.f90 DESTINATION ${CMAKE_INSTALL_DATADIR}/polhode/fortran)
install(TARGETS polhode_shared polhode_static EXPORT polhode)
if(POLHODE_TOOL)
  install(TARGETS polhode_tool)
  if(POLHODE_EXTRA AND NOT CMAKE_CROSSCOMPILING) # the tool writes its manual page and its completions itself
    set(shell_files)
    foreach(file "man share/man/man1/polhode.1" "completion bash share/bash-completion/completions/polhode"
        "completion zsh share/zsh/site-functions/_polhode"
        "completion fish share/fish/vendor_completions.d/polhode.fish")
      string(REGEX MATCH "[^ ]+$" path "${file}")
      string(REGEX REPLACE " [^ ]+$" "" words "${file}")
      string(REPLACE " " ";" words "${words}")
      get_filename_component(folder ${path} DIRECTORY)
      file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/${folder})
      add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/${path} DEPENDS polhode_tool
        COMMAND polhode_tool ${words} >${PROJECT_BINARY_DIR}/${path})
      list(APPEND shell_files ${PROJECT_BINARY_DIR}/${path})
      install(FILES ${PROJECT_BINARY_DIR}/${path} DESTINATION ${folder})
    endforeach()
    add_custom_target(polhode_shell_files ALL DEPENDS ${shell_files})
  endif()
  install(FILES ${PROJECT_BINARY_DIR}/polhode.html DESTINATION ${CMAKE_INSTALL_DATADIR}/polhode OPTIONAL)
endif()
if(POLHODE_LAMMPS)
  install(PROGRAMS bindings/lammps/polhode-lmp DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES bindings/lammps/polhode-lmp.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  foreach(name polhode_lammps polhode_richardson)
    install(PROGRAMS ${PROJECT_BINARY_DIR}/lammps/lib${name}.so DESTINATION ${CMAKE_INSTALL_LIBDIR}/polhode OPTIONAL)
  endforeach()
endif()

file(RELATIVE_PATH to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" to_prefix ${to_prefix})
configure_file(scripts/polhode.pc.in polhode.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/polhode.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(EXPORT polhode NAMESPACE polhode:: FILE polhode-config.cmake DESTINATION ${package_dir})
write_basic_package_version_file(polhode-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/polhode-config-version.cmake DESTINATION ${package_dir})
