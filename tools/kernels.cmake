# Kernels are compiled once for each instruction set of the platform, with PH_ISA its name: the files
# in folders `kernels`, the laws of molecules, and files that have a part for kernels and are compiled as
# others too. src/base/isa.h says how one is written and called.
set(instruction_sets baseline)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  list(APPEND instruction_sets avx2 avx512)
  add_compile_definitions(PH_KERNELS_X86)
endif()
set(flags_baseline "")
set(flags_avx2 -mavx2)
set(flags_avx512 -mavx512f -mavx512dq -mavx512vl -mavx2 -mprefer-vector-width=512)

# Kernels carry two vectors along: gcc mixes their instructions if told to.
include(CheckCCompilerFlag)
set(flags_schedule -fschedule-insns -fsched-pressure)
check_c_compiler_flag("-Werror -fschedule-insns -fsched-pressure" COMPILER_SCHEDULES)
if(NOT COMPILER_SCHEDULES)
  set(flags_schedule "")
endif()

# Adds to a list those of the files that have a part for kernels: between lines `#ifdef` or
# `#ifndef SIMD_VECTORS` and the next.
function(find_kernels list)
  foreach(file ${ARGN})
    file(STRINGS ${file} line REGEX "^#ifn?def SIMD_VECTORS")
    if(line)
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
      list(APPEND ${list} ${file})
    endif()
  endforeach()
  set(${list} "${${list}}" PARENT_SCOPE)
endfunction()

# Adds to generated/kernel_lists.h the kernels in a folder: LIST(X) is X(NAME) for each line MACRO(NAME...
# of its files. They are found by it: a descriptor does not point to its kernels, so that a program
# that uses none is linked with none.
function(list_kernels list macro folder)
  file(GLOB files CONFIGURE_DEPENDS ${folder}/*.c)
  set(names "")
  foreach(file ${files})
    file(STRINGS ${file} lines REGEX "^(${macro})\\(")
    list(TRANSFORM lines REPLACE "^[A-Z_]+\\(([a-z0-9_]+).*" "X(\\1)")
    list(APPEND names ${lines})
  endforeach()
  list(JOIN names " " names)
  set(kernel_lists "${kernel_lists}#define ${list}(X) ${names}\n" PARENT_SCOPE)
endfunction()
set(kernel_lists "/* Written by the build. */\n")
list_kernels(FLOW_KERNELS FLOW_KERNEL src/motion/flows)
list_kernels(COLUMN_KERNELS LANE_KERNELS src/integrators/problems)
list_kernels(TORQUE_KERNELS "LANE_KERNELS|TORQUE_KERNEL" src/integrators/problems)
list_kernels(EACH_KERNELS EACH_KERNEL src/integrators/problems)
write_generated(kernel_lists.h "${kernel_lists}")

# Compiles the files for each instruction set, and adds what comes out to `objects`.
function(add_kernels name)
  foreach(set ${instruction_sets})
    add_library(${name}_${set} OBJECT ${ARGN})
    target_include_directories(${name}_${set} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
    target_compile_definitions(${name}_${set} PRIVATE SIMD_VECTORS PH_ISA=${set})
    target_compile_options(${name}_${set} PRIVATE ${flags_${set}}
      "$<$<NOT:$<CONFIG:Debug,MinSizeRel>>:-O3;${flags_schedule}>")
    list(APPEND objects $<TARGET_OBJECTS:${name}_${set}>)
  endforeach()
  set(objects "${objects}" PARENT_SCOPE)
endfunction()
