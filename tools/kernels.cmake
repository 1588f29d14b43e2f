# Kernels, the files in folders `kernels` and the laws of molecules, are compiled once for each instruction set of the platform, with
# PH_ISA its name; src/base/isa.h says how one is written and called.
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

if(kernels)
  foreach(set ${instruction_sets})
    add_library(polhode_kernels_${set} OBJECT ${kernels})
    target_include_directories(polhode_kernels_${set} PRIVATE include src)
    target_compile_definitions(polhode_kernels_${set} PRIVATE PH_ISA=${set})
    target_compile_options(polhode_kernels_${set} PRIVATE ${flags_${set}}
      "$<$<CONFIG:Release>:-O3;${flags_schedule}>")
    list(APPEND objects $<TARGET_OBJECTS:polhode_kernels_${set}>)
  endforeach()
endif()
