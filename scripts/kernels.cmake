# Kernels are compiled once for each instruction set of the platform, with PH_ISA its name: the laws of
# molecules, and files that have a part for kernels and are compiled as others too. src/base/isa.h says
# how one is written and called.
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

# Compiles the files for each instruction set, and adds what comes out to `objects`.
function(add_kernels name)
  foreach(set ${instruction_sets})
    add_library(${name}_${set} OBJECT ${ARGN})
    add_dependencies(${name}_${set} polhode_lists)
    target_include_directories(${name}_${set} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src
      ${PROJECT_SOURCE_DIR})
    target_compile_definitions(${name}_${set} PRIVATE SIMD_VECTORS PH_ISA=${set})
    target_compile_options(${name}_${set} PRIVATE ${flags_${set}}
      "$<$<NOT:$<CONFIG:Debug,MinSizeRel>>:-O3;${flags_schedule}>")
    list(APPEND objects $<TARGET_OBJECTS:${name}_${set}>)
  endforeach()
  set(objects "${objects}" PARENT_SCOPE)
endfunction()
