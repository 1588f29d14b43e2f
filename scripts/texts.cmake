# Texts that the tool embeds: help, cases of conformance/, templates of gnuplot, texts of figures.
# scripts/embedded.cmake includes this file.

# Writes generated/NAME.help.h from a text: `static const char NAME_help[]`, its bytes. A line
# `@part` stands for the text in part.part of a folder of tool or lab: for nothing where that folder is
# left out.
function(write_help file)
  get_filename_component(name ${file} NAME_WE)
  remember_file(${file})
  file(READ ${file} text)
  while(text MATCHES "\n@([a-z_]+)\n")
    set(name_of_part ${CMAKE_MATCH_1})
    find_files(part GLOB_RECURSE ${name_of_part}.part tool lab)
    set(lines "")
    if(part)
      remember_file(${part})
      file(READ ${part} lines)
    endif()
    string(REPLACE "@${name_of_part}\n" "${lines}" text "${text}")
  endwhile()
  string(HEX "${text}" digits)
  read_bytes("${digits}")
  write_generated(${name}.help.h
    "/* Written by the build from ${file}. */\nstatic const char ${name}_help[] = {${bytes}0};\n")
endfunction()

# Reads a text as what stands between the quotes of a C string, with its line ends.
function(read_text file)
  remember_file(${file})
  file(READ ${file} text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  set(text "${text}" PARENT_SCOPE)
endfunction()

if(NOT POLHODE_TOOL) # a source of the library alone has none of what follows
  return()
endif()

find_files(helps GLOB_RECURSE *.txt tool lab)
foreach(help ${helps})
  write_help(${help})
endforeach()

# Writes generated/grade_cases.h: the cases of conformance/, as they are.
file(GLOB cases ${watch} conformance/cases/*.json)
set(texts "")
set(rows "")
foreach(file ${cases})
  get_filename_component(stem ${file} NAME_WE)
  remember_file(${file})
  file(READ ${file} digits HEX)
  read_bytes("${digits}")
  string(APPEND texts "static const char text_${stem}[] = {${bytes}0};\n")
  string(APPEND rows "    {\"${stem}\", text_${stem}},\n")
endforeach()
write_generated(grade_cases.h
  "/* Written by the build from conformance/cases. */\n${texts}\nstatic const embedded_case case_rows[] = {\n${rows}};\n")

# Writes generated/plot_templates.h: the lines of the gnuplot templates, without comments.
find_files(templates GLOB *.gp tool/gnuplot lab/papers/figures)
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
  "/* Written by the build from the templates in tool/gnuplot and lab/papers/figures. */\nstatic const template template_rows[] = {\n${rows}};\n")

if(NOT POLHODE_LAB)
  return()
endif()

# Writes generated/figure_texts.h from lab/papers/figures/*.md: a section for each figure, `## NAME`,
# with four paragraphs, its title, what is cited, the claim of the paper and the set-up;
# between them paragraphs `{NAME}: text`, for which {NAME} stands in what follows and later files.
# P stands for the beginning of a paragraph.
file(GLOB texts ${watch} lab/papers/figures/*.md)
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
  "/* Written by the build from lab/papers/figures. */\nstatic const figure_text text_rows[] = {\n${rows}};\n")

# Writes generated/page_head.h: how lab/papers/result.c begins its page.
read_text(lab/papers/page.html)
string(REPLACE "\n" "\\n\"\n    \"" text "${text}")
write_generated(page_head.h
  "/* Written by the build from lab/papers/page.html. */\nstatic const char page_head[] =\n    \"${text}\";\n")
