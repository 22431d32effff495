# One interface target carries the warnings and the hardening; every room links it.
add_library(assay_flags INTERFACE)
target_include_directories(assay_flags INTERFACE ${CMAKE_SOURCE_DIR}/src)
target_compile_options(assay_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -fstack-protector-strong>
  # g++ 12 sees overlaps in std::string operator+ that are not there (GCC bug 105651, fixed in 13).
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-restrict>)
target_compile_definitions(assay_flags INTERFACE TOML_EXCEPTIONS=0 _GNU_SOURCE)
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT ASSAY_SANITIZE)
  target_compile_definitions(assay_flags INTERFACE _FORTIFY_SOURCE=2)
endif()
if(ASSAY_SANITIZE)
  target_compile_options(assay_flags INTERFACE -fsanitize=${ASSAY_SANITIZE} -fno-omit-frame-pointer)
  # g++ 12 sees uninitialized members in std::regex when it instruments it.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(assay_flags INTERFACE -Wno-maybe-uninitialized)
  endif()
  target_link_options(assay_flags INTERFACE -fsanitize=${ASSAY_SANITIZE})
else()
  target_link_options(assay_flags INTERFACE -Wl,-z,relro,-z,now)
endif()
if(ASSAY_FUZZ)
  target_compile_options(assay_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
