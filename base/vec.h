/* A growable array as one macro family over three fields. */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Declares the fields of a growable array of T; zeroed is empty. Free with VEC_FINI. */
#define VEC(T)              \
	struct {            \
		T *ptr;     \
		uint32_t len, cap; \
	}

/** Grow *ptr to hold at least need elements of elem_bytes; false (array untouched) when memory is used up. */
bool vec_reserve(void **ptr, uint32_t *cap, uint32_t need, size_t elem_bytes);

/** A pointer to a new zeroed last element, or NULL when memory is used up. */
#define VEC_ADD(v)                                                                            \
	(vec_reserve((void **)&(v)->ptr, &(v)->cap, (v)->len + 1, sizeof(*(v)->ptr))          \
		 ? ((v)->ptr[(v)->len] = (__typeof__(*(v)->ptr)){ 0 }, &(v)->ptr[(v)->len++]) \
		 : NULL)

/** Drop all elements, keep the memory. */
#define VEC_CLEAR(v) ((v)->len = 0)

/** Free the memory; the vector is empty and usable after. */
#define VEC_FINI(v)                      \
	do {                             \
		free((v)->ptr);          \
		(v)->ptr = NULL;         \
		(v)->len = (v)->cap = 0; \
	} while (0)

#endif
