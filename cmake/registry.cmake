# rung_registry(OUT file TYPE "struct pane" NAME pane HEADER panes.h STEMS a b c)
# writes a C file with `const struct pane *const pane_registry[]` over pane_<stem>, in the order given;
# SYMBOL export where the records are export_<stem> but the array is exporter_registry.
function(rung_registry)
	cmake_parse_arguments(R "" "OUT;TYPE;NAME;SYMBOL;HEADER" "STEMS" ${ARGN})
	if(NOT R_SYMBOL)
		set(R_SYMBOL ${R_NAME})
	endif()
	set(decls "")
	set(rows "")
	foreach(stem IN LISTS R_STEMS)
		string(APPEND decls "extern const ${R_TYPE} ${R_SYMBOL}_${stem};\n")
		string(APPEND rows "\t&${R_SYMBOL}_${stem},\n")
	endforeach()
	list(LENGTH R_STEMS n)
	if(n EQUAL 0)
		set(rows "\t0,\n")
	endif()
	file(CONFIGURE OUTPUT ${R_OUT} @ONLY CONTENT
"/* Written by the build from the folder listing. */
#include \"${R_HEADER}\"

${decls}
const ${R_TYPE} *const ${R_NAME}_registry[] = {
${rows}};
const size_t ${R_NAME}_registry_len = ${n};
")
endfunction()

# rung_stems(OUT_VAR GLOB prefix): stems of files matching the glob, sorted, prefix cut off.
function(rung_stems out glob prefix)
	file(GLOB files CONFIGURE_DEPENDS ${glob})
	list(SORT files)
	set(stems "")
	foreach(f IN LISTS files)
		get_filename_component(stem ${f} NAME_WE)
		if(prefix)
			string(REGEX REPLACE "^${prefix}" "" stem ${stem})
		endif()
		list(APPEND stems ${stem})
	endforeach()
	set(${out} ${stems} PARENT_SCOPE)
endfunction()
