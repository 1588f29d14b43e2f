# Lists that the build makes from folders, so that adding a flow, a command or a figure is
# adding its file. What cannot be read is an error. tools/lists.cmake includes this file.

# Sets `symbols` to the descriptors of a type that a file defines, `const TYPE PREFIX_NAME = {` or
# a family, `const TYPE PREFIX_NAME[N] = {`: PREFIX_NAME or PREFIX_NAME[N] of each.
function(read_descriptors file type prefix)
  remember_file(${file})
  file(READ ${file} text)
  set(name "${prefix}_[a-z0-9_]+(\\[[0-9]+\\])?")
  string(REGEX MATCHALL "\n(const[ \n]+)?${type}[ \n]+[A-Za-z0-9_]+(\\[[^]]*\\])?[ \n]*=" defined "${text}")
  string(REGEX MATCHALL "\nconst ${type} ${name}[ \n]+=[ \n]+{" symbols "${text}")
  list(LENGTH defined all)
  list(LENGTH symbols read)
  if(NOT all EQUAL read)
    message(FATAL_ERROR "${file}: write `const ${type} ${prefix}_NAME = {` or `..._NAME[N] = {`")
  endif()
  list(TRANSFORM symbols REPLACE "\nconst ${type} (${name}).*" "\\1")
  set(symbols "${symbols}" PARENT_SCOPE)
endfunction()

# Writes the table KIND_rows of descriptors.
function(write_rows header kind type symbols)
  set(declarations "")
  set(rows "")
  foreach(symbol ${symbols})
    string(APPEND declarations "extern const ${type} ${symbol};\n")
    if(symbol MATCHES "(.*)\\[(.*)\\]")
      math(EXPR last "${CMAKE_MATCH_2} - 1")
      foreach(i RANGE ${last})
        string(APPEND rows "    &${CMAKE_MATCH_1}[${i}],\n")
      endforeach()
    else()
      string(APPEND rows "    &${symbol},\n")
    endif()
  endforeach()
  write_generated(${header} "/* Written by the build. */\n${declarations}\nstatic const ${type} *const ${kind}_rows[] = {\n${rows}};\n")
endfunction()

# Writes generated/catalog_KIND.h from the folder of a kind: the descriptors and families
# ph_KIND_NAME of its files, in the order of their names (a third argument is what the names of the
# files end in; the names after it come first, in this order). And generated/catalog_files.h for the tests:
# CATALOG_FILES(X) is X(KIND, "NAME", members of the family or 0) for each.
set(catalog_files "")
set(spheres_method_type ph_method) # of others it is ph_KIND
function(write_catalog kind folder)
  set(type ph_${kind})
  if(DEFINED ${kind}_type)
    set(type ${${kind}_type})
  endif()
  file(GLOB files ${watch} ${folder}/*${ARGV2}.c)
  set(all "")
  foreach(file ${files})
    read_descriptors(${file} ${type} ph_${kind})
    if(symbols STREQUAL "")
      message(FATAL_ERROR "${file}: needs a line `const ${type} ph_${kind}_NAME = {`")
    endif()
    list(APPEND all ${symbols})
  endforeach()
  list(SORT all)
  if(ARGN)
    list(POP_FRONT ARGN)
    list(TRANSFORM ARGN PREPEND ph_${kind}_)
    list(APPEND ARGN ${all})
    list(REMOVE_DUPLICATES ARGN)
    set(all ${ARGN})
  endif()
  foreach(symbol ${all})
    string(REGEX MATCH "^ph_${kind}_([a-z0-9_]+)(\\[([0-9]+)\\])?$" matched ${symbol})
    math(EXPR members "0${CMAKE_MATCH_3}")
    string(APPEND catalog_files " \\\n    X(${kind}, \"${CMAKE_MATCH_1}\", ${members})")
  endforeach()
  write_rows(catalog_${kind}.h ${kind} ${type} "${all}")
  set(catalog_files "${catalog_files}" PARENT_SCOPE)
  set(${kind}_symbols "${all}" PARENT_SCOPE)
endfunction()

write_catalog(adaptive src/integrators/adaptive)
write_catalog(flow src/motion/flows)
write_catalog(problem src/integrators/problems)
write_catalog(method src/integrators/methods)
write_catalog(scheme src/integrators/schemes)
write_catalog(thermostat src/integrators/thermostats)
write_catalog(figure papers/figures)
write_catalog(molecules_problem src/molecules/*s)
write_catalog(spheres_method src/spheres/methods)
write_catalog(spheres_problem src/spheres/problems)
write_catalog(kind src/* _system body spheres molecules orbiter)
write_generated(catalog_files.h "/* Written by the build. */\n#define CATALOG_FILES(X)${catalog_files}\n")

# Writes generated/kinds/catalog_kind.h: the kinds of system in tests/kinds beside those of the library.
file(GLOB test_kinds ${watch} ${PROJECT_SOURCE_DIR}/tests/kinds/*_system.c)
foreach(file ${test_kinds})
  read_descriptors(${file} ph_kind ph_kind)
  list(APPEND kind_symbols ${symbols})
endforeach()
write_rows(kinds/catalog_kind.h kind ph_kind "${kind_symbols}")

# Gives a program these kinds.
function(add_test_kinds program)
  target_sources(${program} PRIVATE ${test_kinds} ${PROJECT_SOURCE_DIR}/src/system/kinds.c)
  target_include_directories(${program} BEFORE PRIVATE ${PROJECT_BINARY_DIR}/generated/kinds
    ${PROJECT_SOURCE_DIR}/src)
endfunction()

# Adds to generated/kernel_lists.h the kernels in a folder: LIST(X) is X(NAME) for each line MACRO(NAME...
# of its files. They are found by it: a descriptor does not point to its kernels, so that a program
# that uses none is linked with none.
function(list_kernels list macro folder)
  file(GLOB files ${watch} ${folder}/*.c)
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

# Writes generated/found_KIND.h: a table of the descriptors KIND_NAME in whatever files below the
# folder they stand. The names that are given come first, in this order.
function(write_found kind type folder)
  file(GLOB_RECURSE files ${watch} ${folder}/*.c)
  set(all "")
  foreach(file ${files})
    read_descriptors(${file} ${type} ${kind})
    list(APPEND all ${symbols})
  endforeach()
  list(TRANSFORM ARGN PREPEND ${kind}_)
  foreach(symbol ${ARGN})
    if(NOT symbol IN_LIST all)
      message(FATAL_ERROR "${folder}: there is no ${symbol}")
    endif()
  endforeach()
  list(APPEND ARGN ${all})
  list(REMOVE_DUPLICATES ARGN)
  write_rows(found_${kind}.h ${kind} ${type} "${ARGN}")
endfunction()

if(POLHODE_TOOL)
  write_found(format file_format cli/files/formats)
  # The commands in the order of `polhode --help`; those that are not named follow.
  write_found(command command cli exact run resume check compare fit reproduce list plot view convert
    grade inertia bits completion man)
endif()

# Sets kernel_files to the files of the library that have a part for kernels: between lines `#ifdef` or
# `#ifndef SIMD_VECTORS` and the next. They are compiled once more for each instruction set.
file(GLOB_RECURSE library_files ${watch} src/*.c)
set(kernel_files "")
foreach(file ${library_files})
  file(STRINGS ${file} line REGEX "^#ifn?def SIMD_VECTORS")
  if(line)
    remember_file(${file})
    list(APPEND kernel_files ${file})
  endif()
endforeach()
