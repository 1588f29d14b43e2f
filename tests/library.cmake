# The tests of the library alone, without the tool and what that needs: those test_*.c that need nothing
# but cmocka, for machines that have no more (rooms.cmake).
find_tests(support support/*.c)
add_library(test_support STATIC ${support})
target_include_directories(test_support PUBLIC . ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src)
target_compile_definitions(test_support PUBLIC TEST_DATA="${CMAKE_CURRENT_SOURCE_DIR}/vectors")
target_link_libraries(test_support PUBLIC polhode_static PkgConfig::cmocka m)
target_compile_definitions(test_support PUBLIC ${count_skips})

find_tests(files test_*.c)
foreach(file ${files})
  get_filename_component(name ${file} NAME_WE)
  add_executable(${name} ${file})
  if(name IN_LIST with_kinds)
    add_test_kinds(${name})
  endif()
  target_link_libraries(${name} PRIVATE test_support)
  add_test(NAME ${name} COMMAND ${name})
endforeach()

find_tests(files ${PROJECT_SOURCE_DIR}/examples/*.c)
list(FILTER files EXCLUDE REGEX "/(mpi_|gpu_)")
foreach(file ${files})
  get_filename_component(name ${file} NAME_WE)
  add_executable(example_${name} ${file})
  target_link_libraries(example_${name} PRIVATE polhode_static m)
  add_test(NAME example_${name} COMMAND example_${name})
endforeach()

# The same bits as on every machine.
add_executable(bits consumer/bits.c)
target_include_directories(bits PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
target_link_libraries(bits PRIVATE polhode_static m)
add_test(NAME bits COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/bits.sh compare $<TARGET_FILE:bits>)
