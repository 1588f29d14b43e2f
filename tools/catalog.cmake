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
