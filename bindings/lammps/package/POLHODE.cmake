# The package POLHODE of LAMMPS: POLHODE_DIR is Polhode's source tree, in which `make lammps-build` was run.
set(POLHODE_DIR "" CACHE PATH "Polhode's source tree, after make lammps-build")
if(NOT EXISTS ${POLHODE_DIR}/build/lammps/libpolhode_lanes.a)
  message(FATAL_ERROR "PKG_POLHODE: there is no ${POLHODE_DIR}/build/lammps/libpolhode_lanes.a: run make lammps-build in "
    "Polhode's source tree, and name that with -D POLHODE_DIR=...")
endif()
if(NOT PKG_RIGID OR NOT PKG_ASPHERE)
  message(FATAL_ERROR "PKG_POLHODE needs PKG_RIGID and PKG_ASPHERE")
endif()
target_include_directories(lammps PRIVATE ${POLHODE_DIR}/include ${POLHODE_DIR})
target_link_libraries(lammps PRIVATE ${POLHODE_DIR}/build/lammps/libpolhode_lanes.a ${POLHODE_DIR}/build/libpolhode.a m)
