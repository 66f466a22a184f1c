/* Compiler attributes, so that a wrong release or format is a build error. */
#ifndef BASE_ATTR_H
#define BASE_ATTR_H

/** Marks an allocator and names the function that releases what it returns (gcc checks the pair). */
#if defined(__GNUC__) && !defined(__clang__)
#define OWNED(release) __attribute__((malloc, malloc(release, 1), warn_unused_result))
#else
#define OWNED(release) __attribute__((malloc, warn_unused_result))
#endif

/** printf-like: argument number of the format and of the first value. */
#define PRINTF_LIKE(fmt, first) __attribute__((format(printf, fmt, first)))

/** The result must be looked at. */
#define MUST_CHECK __attribute__((warn_unused_result))

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

#endif
