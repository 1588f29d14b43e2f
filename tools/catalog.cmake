# Writes generated/catalog_KIND.h from the folder of a kind: a file there holds either one
# descriptor,   const ph_flow ph_flow_NAME = {
# or a family,  const ph_flow ph_flow_FAMILY[N] = {
# and that line is all the catalog needs. Adding a flow is adding its file.
function(write_catalog kind folder)
  file(GLOB files CONFIGURE_DEPENDS ${folder}/*.c)
  set(declarations "")
  set(rows "")
  foreach(file ${files})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    get_filename_component(stem ${file} NAME_WE)
    file(STRINGS ${file} line REGEX "^const ph_${kind} ph_${kind}_[a-z0-9_]+(\\[[0-9]+\\])? = {")
    if(NOT line MATCHES "^const ph_${kind} (ph_${kind}_${stem})(\\[([0-9]+)\\])? = {$")
      message(FATAL_ERROR "${file}: needs one line `const ph_${kind} ph_${kind}_${stem} = {`")
    endif()
    set(symbol ${CMAKE_MATCH_1})
    set(members "${CMAKE_MATCH_3}")
    if(members STREQUAL "")
      string(APPEND declarations "extern const ph_${kind} ${symbol};\n")
      string(APPEND rows "    &${symbol},\n")
    else()
      string(APPEND declarations "extern const ph_${kind} ${symbol}[${members}];\n")
      math(EXPR last "${members} - 1")
      foreach(i RANGE ${last})
        string(APPEND rows "    &${symbol}[${i}],\n")
      endforeach()
    endif()
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/catalog_${kind}.h CONTENT
    "/* Written by the build from ${folder}. */\n${declarations}\nstatic const ph_${kind} *const ${kind}_rows[] = {\n${rows}};\n")
endfunction()

write_catalog(flow src/flows)
write_catalog(problem src/problems)
write_catalog(method src/methods)
write_catalog(scheme src/schemes)
write_catalog(figure figures)
write_catalog(molecules_problem src/molecules/laws)
write_catalog(spheres_method src/spheres/methods)
write_catalog(spheres_problem src/spheres/problems)

# Writes generated/plot_templates.h: the lines of the gnuplot templates, without comments.
file(GLOB templates CONFIGURE_DEPENDS plot/*.gp figures/*.gp)
set(rows "")
foreach(file ${templates})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  get_filename_component(stem ${file} NAME_WE)
  file(READ ${file} text)
  string(REGEX REPLACE "(^|\n) *#[^\n]*" "\\1" text "${text}")
  string(REGEX REPLACE "\n\n+" "\n" text "${text}")
  string(REGEX REPLACE "^\n|\n$" "" text "${text}")
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "\n" "\",\n        \"" text "${text}")
  string(APPEND rows "    {\"${stem}\", (const char *const[]){\n        \"${text}\", NULL}},\n")
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/plot_templates.h CONTENT
  "/* Written by the build from the templates in plot and figures. */\nstatic const template template_rows[] = {\n${rows}};\n" @ONLY)

# Writes generated/figure_texts.h from figures/*.md: a section for each figure, `## NAME`,
# with four paragraphs, its title, what is cited, the claim of the paper and the set-up;
# before them paragraphs `{NAME}: text`, for which {NAME} stands in this file and later ones.
file(GLOB texts CONFIGURE_DEPENDS figures/*.md)
set(rows "")
foreach(file ${texts})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REGEX REPLACE "^# [^\n]*\n+" "" text "\n\n${text}")
  string(REGEX REPLACE "\n+$" "" text "${text}")
  string(REGEX REPLACE "\n\n+" "@" text "${text}")
  string(REPLACE "\n" " " text "${text}")
  string(REGEX REPLACE "@# [^@]*" "" text "${text}")
  string(REGEX REPLACE "@{([A-Z_]+)}: ([^@]*)" "#define TEXT_\\1 \"\\2\"\n" text "${text}")
  string(REGEX REPLACE "@## ([^@]*)@([^@]*)@([^@]*)@([^@]*)@([^@]*)"
    "    {\"\\1\", \"\\2\", \"\\3\", \"\\4\", \"\\5\"},\n" text "${text}")
  string(REGEX REPLACE "{([A-Z_]+)}" "\" TEXT_\\1 \"" text "${text}")
  string(APPEND rows "${text}")
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/figure_texts.h CONTENT
  "/* Written by the build from figures/. */\nstatic const figure_text text_rows[] = {\n${rows}};\n" @ONLY)

# Writes generated/page_head.h: how src/evidence/page.c begins its page.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS src/evidence/page.html)
file(READ src/evidence/page.html text)
string(REPLACE "\"" "\\\"" text "${text}")
string(REPLACE "\n" "\\n\"\n    \"" text "${text}")
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/page_head.h CONTENT
  "/* Written by the build from src/evidence/page.html. */\nstatic const char page_head[] =\n    \"${text}\";\n" @ONLY)
