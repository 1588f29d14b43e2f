# Writes the files of generated/: what is embedded for devices and in the tool. CMake does so when it configures the build. After that rules of the build do, one for
# each part, whenever a file changes that the part is made of; so an edit of a file needs no configuration.
# A new file is found by the next build, which is configured anew.
#
# The rules run this file as a script, in the folder of the sources, with `only` the name of a part.
if(CMAKE_SCRIPT_MODE_FILE)
  cmake_minimum_required(VERSION 3.22)
  set(parts ${only})
else()
  set(watch CONFIGURE_DEPENDS) # a new file is noticed
  set(parts device texts)
endif()

# Writes a file into generated/, unless it is the same.
function(write_generated name text)
  set(path ${PROJECT_BINARY_DIR}/generated/${name})
  set(before "")
  if(EXISTS ${path})
    file(READ ${path} before)
  endif()
  if(NOT "${before}" STREQUAL "${text}")
    file(WRITE ${path} "${text}")
  endif()
endfunction()

# Remembers a file that was read: when it changes, the part is written anew.
function(remember_file file)
  set_property(GLOBAL APPEND PROPERTY polhode_read ${file})
endfunction()

# Sets `bytes` to the elements of an array of char, without the NUL, from hexadecimal digits. Eight bytes
# at a time: CMake takes long for each match.
function(read_bytes digits)
  set(one "'\\\\x\\1',")
  set(eight "")
  foreach(i RANGE 1 8)
    string(APPEND eight "'\\\\x\\${i}',")
  endforeach()
  string(REGEX REPLACE "(..)(..)(..)(..)(..)(..)(..)(..)" "${eight}" bytes "${digits}")
  string(FIND "${bytes}" "," last REVERSE)
  math(EXPR last "${last} + 1")
  string(SUBSTRING "${bytes}" ${last} -1 rest)
  string(SUBSTRING "${bytes}" 0 ${last} bytes)
  string(REGEX REPLACE "(..)" "${one}" rest "${rest}")
  set(bytes "${bytes}${rest}" PARENT_SCOPE)
endfunction()

# Sets `out` to the switch of the build that a file or folder belongs to, relative to the top, or to ON: it is never left out.
# This is the only table of these folders.
function(switch_of out path)
  set(switch ON)
  if(path MATCHES "^src/kinds/")
    set(switch POLHODE_KINDS)
  elseif(path MATCHES "^(src|tool)/device/")
    set(switch POLHODE_DEVICE)
  elseif(path MATCHES "^lab/")
    set(switch POLHODE_LAB)
  elseif(path MATCHES "^tool/optional/")
    set(switch POLHODE_EXTRA)
  endif()
  set(${out} "${switch}" PARENT_SCOPE)
endfunction()

# Sets `out` to the files NAME in the folders, without the files that are left out; `mode` is GLOB or GLOB_RECURSE. A
# figure that includes a header of `src/kinds` is left out with it.
function(find_files out mode name)
  set(patterns ${ARGN})
  list(TRANSFORM patterns APPEND /${name})
  file(${mode} files ${watch} RELATIVE ${PROJECT_SOURCE_DIR} ${patterns})
  set(found "")
  foreach(file ${files})
    switch_of(switch ${file})
    if(${switch})
      if(NOT POLHODE_KINDS AND file MATCHES "/figures/")
        file(STRINGS ${PROJECT_SOURCE_DIR}/${file} line REGEX "^#include \"kinds/")
        if(line)
          continue()
        endif()
      endif()
      list(APPEND found ${PROJECT_SOURCE_DIR}/${file})
    endif()
  endforeach()
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

set(written "")
foreach(part ${parts})
  set_property(GLOBAL PROPERTY polhode_read "")
  include(${CMAKE_CURRENT_LIST_DIR}/${part}.cmake)
  get_property(read GLOBAL PROPERTY polhode_read)
  list(REMOVE_DUPLICATES read)
  list(SORT read)
  set(rules "${read}\n") # what the rules of the build depend on
  set(record ${PROJECT_BINARY_DIR}/generated/${part}.txt)
  set(stamp ${PROJECT_BINARY_DIR}/generated/${part}.written)
  if(CMAKE_SCRIPT_MODE_FILE)
    file(READ ${record} before)
    if(NOT "${before}" STREQUAL "${rules}") # another file is embedded
      execute_process(COMMAND ${CMAKE_COMMAND} --log-level=NOTICE ${top} OUTPUT_QUIET RESULT_VARIABLE failed)
      if(failed)
        message(FATAL_ERROR "The build cannot be configured.")
      elseif(NOT generator MATCHES Makefiles) # these read the rules of a target when they come to it
        message(FATAL_ERROR "The rules of the build have changed: build again.")
      endif()
    endif()
  else()
    write_generated(${part}.txt "${rules}")
    add_custom_command(OUTPUT ${stamp} VERBATIM COMMENT "Writing generated files: ${part}"
      DEPENDS ${read} scripts/embedded.cmake scripts/${part}.cmake WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
      COMMAND ${CMAKE_COMMAND} -DPROJECT_SOURCE_DIR=${PROJECT_SOURCE_DIR} -DPROJECT_BINARY_DIR=${PROJECT_BINARY_DIR}
        -DPOLHODE_TOOL=${POLHODE_TOOL} -DPOLHODE_KINDS=${POLHODE_KINDS} -DPOLHODE_DEVICE=${POLHODE_DEVICE}
        -DPOLHODE_LAB=${POLHODE_LAB} -DPOLHODE_EXTRA=${POLHODE_EXTRA} -Dtop=${CMAKE_BINARY_DIR} -Dgenerator=${CMAKE_GENERATOR} -Donly=${part}
        -P scripts/embedded.cmake
      COMMAND ${CMAKE_COMMAND} -E touch ${stamp})
    list(APPEND written ${stamp})
  endif()
endforeach()
if(NOT CMAKE_SCRIPT_MODE_FILE)
  add_custom_target(polhode_lists DEPENDS ${written}) # what is compiled depends on it
endif()
