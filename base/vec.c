#include "base/vec.h"

#include <stdlib.h>

bool vec_reserve(void **ptr, uint32_t *cap, uint32_t need, size_t elem_bytes)
{
	if (need <= *cap)
		return true;
	uint32_t want = *cap ? *cap : 8;
	while (want < need) {
		if (want > UINT32_MAX / 2)
			return false;
		want *= 2;
	}
	void *grown = reallocarray(*ptr, want, elem_bytes);
	if (!grown)
		return false;
	*ptr = grown;
	*cap = want;
	return true;
}
