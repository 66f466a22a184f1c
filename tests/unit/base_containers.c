/* Arena, vector and map against a plain model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"

static void arena_memory_is_zeroed_aligned_and_bounded(void **state)
{
	struct arena a = { .limit_bytes = 1 << 20 };
	(void)state;

	for (int round = 0; round < 3; round++) {
		for (size_t n = 0; n < 5000; n += 37) {
			unsigned char *p = arena_alloc(&a, n);
			assert_non_null(p);
			assert_int_equal((uintptr_t)p % 16, 0);
			for (size_t i = 0; i < n; i++)
				assert_int_equal(p[i], 0);
			memset(p, 0xee, n);
		}
		arena_reset(&a);
		assert_int_equal(a.used_bytes, 0);
	}
	assert_null(arena_alloc(&a, 2 << 20));
	assert_null(arena_alloc(&a, SIZE_MAX));
	assert_null(arena_array(&a, SIZE_MAX / 2, 4));
	assert_non_null(arena_alloc(&a, 10));
	arena_fini(&a);
	assert_int_equal(a.held_bytes, 0);
}

static void map_agrees_with_an_array(void **state)
{
	enum { KEYS = 257 };
	struct map m = { 0 };
	uint64_t model[KEYS] = { 0 };
	bool has[KEYS] = { false };
	uint32_t seed = 1, len = 0;
	(void)state;

	for (int i = 0; i < 200000; i++) {
		seed = seed * 1664525u + 1013904223u;
		uint32_t k = (seed >> 8) % KEYS;
		if (seed >> 31) {
			assert_non_null(map_put(&m, k * 0x100000001ull, seed));
			len += !has[k];
			has[k] = true;
			model[k] = seed;
		} else {
			assert_int_equal(map_del(&m, k * 0x100000001ull), has[k]);
			len -= has[k];
			has[k] = false;
		}
		uint32_t probe = seed % KEYS;
		uint64_t *v = map_get(&m, probe * 0x100000001ull);
		assert_int_equal(v != NULL, has[probe]);
		if (v)
			assert_int_equal(*v, model[probe]);
	}
	assert_int_equal(m.len, len);
	uint32_t at = 0, seen = 0;
	uint64_t key, value;
	while (map_next(&m, &at, &key, &value))
		seen++;
	assert_int_equal(seen, len);
	map_clear(&m);
	assert_null(map_get(&m, 0));
	map_fini(&m);
}

static void vec_grows_and_zeroes(void **state)
{
	VEC(uint64_t) v = { 0 };
	(void)state;

	for (uint64_t i = 0; i < 10000; i++) {
		uint64_t *p = VEC_ADD(&v);
		assert_non_null(p);
		assert_int_equal(*p, 0);
		*p = i;
	}
	assert_int_equal(v.len, 10000);
	for (uint64_t i = 0; i < v.len; i++)
		assert_int_equal(v.ptr[i], i);
	VEC_FINI(&v);
	assert_null(v.ptr);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arena_memory_is_zeroed_aligned_and_bounded),
		cmocka_unit_test(map_agrees_with_an_array),
		cmocka_unit_test(vec_grows_and_zeroes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
