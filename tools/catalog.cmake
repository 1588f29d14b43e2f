# Lists that the build makes from folders, so that adding a flow, a command or a figure is
# adding its file. What cannot be read is an error.

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

# Sets `symbols` to the descriptors of a type that a file defines, `const TYPE PREFIX_NAME = {` or
# a family, `const TYPE PREFIX_NAME[N] = {`: PREFIX_NAME or PREFIX_NAME[N] of each.
function(read_descriptors file type prefix)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
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
  file(GLOB files CONFIGURE_DEPENDS ${folder}/*${ARGV2}.c)
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

# Gives a program the kinds of system in tests/kinds beside those of the library.
function(add_test_kinds program)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/kinds/*_system.c)
  foreach(file ${files})
    read_descriptors(${file} ph_kind ph_kind)
    list(APPEND kind_symbols ${symbols})
  endforeach()
  write_rows(kinds/catalog_kind.h kind ph_kind "${kind_symbols}")
  target_sources(${program} PRIVATE ${files} ${PROJECT_SOURCE_DIR}/src/system/kinds.c)
  target_include_directories(${program} BEFORE PRIVATE ${PROJECT_BINARY_DIR}/generated/kinds
    ${PROJECT_SOURCE_DIR}/src)
endfunction()

# Writes generated/found_KIND.h: a table of the descriptors KIND_NAME in whatever files below the
# folder they stand. The names that are given come first, in this order.
function(write_found kind type folder)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${folder}/*.c)
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

# Writes generated/NAME.help.h from a text: `static const char NAME_help[]`, its bytes. A line
# `@part` stands for the text in cli/input/part.part.
function(write_help file)
  get_filename_component(name ${file} NAME_WE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  while(text MATCHES "\n@([a-z_]+)\n")
    set(part cli/input/${CMAKE_MATCH_1}.part)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${part})
    file(READ ${part} lines)
    string(REPLACE "@${CMAKE_MATCH_1}\n" "${lines}" text "${text}")
  endwhile()
  string(HEX "${text}" bytes)
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
  write_generated(${name}.help.h
    "/* Written by the build from ${file}. */\nstatic const char ${name}_help[] = {${bytes}0};\n")
endfunction()

# Reads a text as what stands between the quotes of a C string, with its line ends.
function(read_text file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  set(text "${text}" PARENT_SCOPE)
endfunction()

if(NOT POLHODE_TOOL) # a source of the library alone has none of what follows
  return()
endif()

# Writes generated/grade_cases.h: the cases of conformance/, as they are.
file(GLOB cases CONFIGURE_DEPENDS conformance/cases/*.json)
set(texts "")
set(rows "")
foreach(file ${cases})
  get_filename_component(stem ${file} NAME_WE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
  string(APPEND texts "static const char text_${stem}[] = {${bytes}0};\n")
  string(APPEND rows "    {\"${stem}\", text_${stem}},\n")
endforeach()
write_generated(grade_cases.h
  "/* Written by the build from conformance/cases. */\n${texts}\nstatic const embedded_case case_rows[] = {\n${rows}};\n")

# Writes generated/plot_templates.h: the lines of the gnuplot templates, without comments.
file(GLOB templates CONFIGURE_DEPENDS plot/*.gp papers/figures/*.gp)
set(rows "")
foreach(file ${templates})
  get_filename_component(stem ${file} NAME_WE)
  read_text(${file})
  string(REGEX REPLACE "(^|\n) *#[^\n]*" "\\1" text "${text}")
  string(REGEX REPLACE "\n\n+" "\n" text "${text}")
  string(REGEX REPLACE "^\n|\n$" "" text "${text}")
  string(REPLACE "\n" "\",\n        \"" text "${text}")
  string(APPEND rows "    {\"${stem}\", (const char *const[]){\n        \"${text}\", NULL}},\n")
endforeach()
write_generated(plot_templates.h
  "/* Written by the build from the templates in plot and papers/figures. */\nstatic const template template_rows[] = {\n${rows}};\n")

# Writes generated/figure_texts.h from papers/figures/*.md: a section for each figure, `## NAME`,
# with four paragraphs, its title, what is cited, the claim of the paper and the set-up;
# between them paragraphs `{NAME}: text`, for which {NAME} stands in what follows and later files.
# P stands for the beginning of a paragraph.
file(GLOB texts CONFIGURE_DEPENDS papers/figures/*.md)
string(ASCII 30 P)
set(rows "")
foreach(file ${texts})
  read_text(${file})
  string(REGEX REPLACE "\n+$" "" text "\n\n${text}")
  string(REGEX REPLACE "\n\n+" "${P}" text "${text}")
  string(REPLACE "\n" " " text "${text}")
  string(REGEX REPLACE "${P}# [^${P}]*" "" text "${text}")
  string(REGEX REPLACE "${P}{([A-Z_]+)}: ([^${P}]*)" "${P}#define TEXT_\\1 \"\\2\"\n" text "${text}")
  string(REGEX REPLACE "${P}## ([a-z0-9_]*)${P}([^${P}]*)${P}([^${P}]*)${P}([^${P}]*)${P}([^${P}]*)"
    "${P}    {\"\\1\", \"\\2\", \"\\3\", \"\\4\", \"\\5\"},\n" text "${text}")
  string(REGEX REPLACE "${P}(#define TEXT_|    {\")" "\\1" text "${text}")
  if(text MATCHES "${P}")
    message(FATAL_ERROR "${file}: a section `## NAME` has four paragraphs")
  endif()
  string(REGEX REPLACE "{([A-Z_]+)}" "\" TEXT_\\1 \"" text "${text}")
  string(APPEND rows "${text}")
endforeach()
write_generated(figure_texts.h
  "/* Written by the build from papers/figures. */\nstatic const figure_text text_rows[] = {\n${rows}};\n")

# Writes generated/page_head.h: how papers/result.c begins its page.
read_text(papers/page.html)
string(REPLACE "\n" "\\n\"\n    \"" text "${text}")
write_generated(page_head.h
  "/* Written by the build from papers/page.html. */\nstatic const char page_head[] =\n    \"${text}\";\n")
