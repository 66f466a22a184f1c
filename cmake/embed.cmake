# cmake -DIN=file -DOUT=file.c -DNAME=symbol -P embed.cmake: a text file as a C array with its length.
file(READ ${IN} hex HEX)
string(LENGTH "${hex}" digits)
math(EXPR len "${digits} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
file(WRITE ${OUT} "#include <stddef.h>

extern const char ${NAME}_bytes[];
extern const size_t ${NAME}_len;
const char ${NAME}_bytes[] = { ${bytes} 0 };
const size_t ${NAME}_len = ${len};
")
