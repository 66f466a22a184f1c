# Every bpf/<stem>.bpf.c is compiled for the kernel and embedded; no skeletons, no build-host BTF.
find_program(RUNG_BPF_CLANG NAMES clang clang-14 clang-15 clang-16 REQUIRED)
file(GLOB bpf_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/bpf/*.bpf.c)
list(SORT bpf_sources)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/bpf)
execute_process(COMMAND ${CMAKE_C_COMPILER} -print-multiarch OUTPUT_VARIABLE rung_multiarch
	OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
	set(bpf_arch arm64)
else()
	set(bpf_arch x86)
endif()
if(NOT rung_multiarch)
	set(rung_multiarch ${CMAKE_SYSTEM_PROCESSOR}-linux-gnu)
endif()

set(bpf_objects "")
set(bpf_decls "")
set(bpf_rows "")
set(bpf_asm ".section .rodata\n")
set(probe_stems "")
foreach(source IN LISTS bpf_sources)
	get_filename_component(stem ${source} NAME_WE)
	set(object ${CMAKE_BINARY_DIR}/bpf/${stem}.bpf.o)
	add_custom_command(OUTPUT ${object} DEPENDS ${source} DEPFILE ${object}.d
		COMMAND ${RUNG_BPF_CLANG} -target bpf -D__TARGET_ARCH_${bpf_arch} -mcpu=v2 -O2 -g
			-Wall -Wextra -Werror -Wno-unused-parameter -Wno-missing-declarations
			-fdebug-prefix-map=${CMAKE_SOURCE_DIR}=. -MD -MF ${object}.d -MT ${object}
			-I${CMAKE_SOURCE_DIR} -I/usr/include/${rung_multiarch} -c ${source} -o ${object}
		VERBATIM)
	list(APPEND bpf_objects ${object})
	string(APPEND bpf_decls "extern const unsigned char bpf_${stem}_elf[], bpf_${stem}_elf_end[];\n")
	string(APPEND bpf_rows "\t{ \"${stem}\", bpf_${stem}_elf, bpf_${stem}_elf_end },\n")
	string(APPEND bpf_asm ".balign 8\n.global bpf_${stem}_elf, bpf_${stem}_elf_end\nbpf_${stem}_elf: .incbin \"${object}\"\nbpf_${stem}_elf_end: .byte 0\n")
	if(EXISTS ${CMAKE_SOURCE_DIR}/collectors/probes/${stem}.c)
		list(APPEND probe_stems ${stem})
	endif()
endforeach()
list(LENGTH bpf_objects bpf_count)
if(bpf_count EQUAL 0)
	set(bpf_rows "\t{ 0 },\n")
endif()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/bpf_blobs.S @ONLY CONTENT
"${bpf_asm}.section .note.GNU-stack,\"\",@progbits\n")
set_source_files_properties(${CMAKE_BINARY_DIR}/bpf_blobs.S PROPERTIES OBJECT_DEPENDS "${bpf_objects}")
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/bpf_blobs.c @ONLY CONTENT
"/* Written by the build from the listing of bpf/. */
#include \"collectors/probes/probe.h\"

#include <string.h>

${bpf_decls}
const struct bpf_blob bpf_blobs[] = {
${bpf_rows}};
const size_t bpf_blobs_len = ${bpf_count};

const struct bpf_blob *bpf_blob_find(const char *name)
{
	for (size_t i = 0; i < bpf_blobs_len; i++)
		if (!strcmp(bpf_blobs[i].name, name))
			return &bpf_blobs[i];
	return NULL;
}
")

set(probe_decls "")
set(probe_rows "")
foreach(stem IN LISTS probe_stems)
	string(APPEND probe_decls "extern const struct probe probe_${stem};\n")
	string(APPEND probe_rows "\t{ \"${stem}\", &probe_${stem} },\n")
endforeach()
list(LENGTH probe_stems probe_count)
if(probe_count EQUAL 0)
	set(probe_rows "\t{ 0 },\n")
endif()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/probe_registry.c @ONLY CONTENT
"/* Written by the build: each collectors/probes/<name>.c that has a bpf/<name>.bpf.c. */
#include \"collectors/probes/probe.h\"

#include <string.h>

${probe_decls}
const struct probe_entry probe_registry[] = {
${probe_rows}};
const size_t probe_registry_len = ${probe_count};

const struct probe_entry *probe_find(const char *name)
{
	for (size_t i = 0; i < probe_registry_len; i++)
		if (!strcmp(probe_registry[i].name, name))
			return &probe_registry[i];
	return NULL;
}
")
