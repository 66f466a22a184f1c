/* Names of user code: tables, ELF files, mappings, perf maps, demangling; hostile input stays harmless. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collectors/symbols/elf.h"
#include "collectors/symbols/maps.h"
#include "collectors/symbols/perfmap.h"
#include "collectors/symbols/symbols.h"

static void add(struct symtab *t, uint64_t addr, uint64_t size, const char *name, enum sym_rank rank)
{
	assert_true(symtab_add(t, addr, size, name, strlen(name), rank));
}

static const char *name_at(const struct symtab *t, uint64_t addr)
{
	const struct sym *s = symtab_find(t, addr, NULL);

	return s ? symtab_name(t, s) : "";
}

static void sizes_are_respected(void **state)
{
	struct symtab t = { 0 };
	(void)state;

	add(&t, 0x3000, 0, "asm_label", SYM_SIZELESS);
	add(&t, 0x1000, 0x100, "__write", SYM_WEAK);
	add(&t, 0x1000, 0x100, "write", SYM_WEAK);
	add(&t, 0x1000, 0x100, "__GI___write", SYM_LOCAL);
	add(&t, 0x2000, 0, "exported", SYM_EXPORT_SIZELESS);
	add(&t, 0x4000, 0x100, "outer", SYM_GLOBAL);
	add(&t, 0x4010, 0x10, "inner", SYM_LOCAL);
	symtab_sort(&t, false);
	assert_string_equal(name_at(&t, 0xfff), "");
	assert_string_equal(name_at(&t, 0x1000), "write");
	assert_string_equal(name_at(&t, 0x10ff), "write");
	assert_string_equal(name_at(&t, 0x1100), "");
	assert_string_equal(name_at(&t, 0x2000), "exported");
	assert_string_equal(name_at(&t, 0x2001), "");
	assert_string_equal(name_at(&t, 0x3fff), "asm_label");
	assert_string_equal(name_at(&t, 0x4008), "outer");
	assert_string_equal(name_at(&t, 0x4018), "inner");
	assert_string_equal(name_at(&t, 0x4080), "outer");
	assert_string_equal(name_at(&t, 0x4100), "");
	assert_false(symtab_add(&t, UINT64_MAX, 2, "wraps", 5, SYM_LOCAL));
	symtab_fini(&t);
}

static void a_lookup_takes_logarithmic_steps(void **state)
{
	struct symtab t = { 0 };
	uint32_t steps, worst = 0;
	(void)state;

	for (uint64_t i = 0; i < 100000; i++)
		add(&t, i * 16, 16, "f", SYM_LOCAL);
	symtab_sort(&t, false);
	for (uint64_t at = 0; at < 100000 * 16; at += 997) {
		assert_non_null(symtab_find(&t, at, &steps));
		worst = steps > worst ? steps : worst;
	}
	assert_true(worst <= 17 + 1); /* 2^17 > 100000, and the look at what was found */
	symtab_fini(&t);
}

__attribute__((noipa)) static int known_function(int x)
{
	return x * 3 + 1;
}

static int own_file(void)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	return fd;
}

static void own_functions_are_found_through_the_mappings(void **state)
{
	int proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct symbols *s = symbols_new(proc_fd);
	struct image self = { (uint32_t)getpid(), 1, 1, NULL };
	(void)state;

	assert_non_null(s);
	assert_int_equal(known_function(1), 4);
	const struct symbol *own = symbols_user(s, &self, (uint64_t)(uintptr_t)known_function + 1);
	assert_true(text_is(own->symbol, "known_function"));
	assert_true(text_is(own->object, "unit_symbols_user"));
	assert_true(own->is_exact && own->is_resolved && !own->is_kernel);
	assert_ptr_equal(symbols_user(s, &self, (uint64_t)(uintptr_t)known_function), own);
	const struct symbol *nowhere = symbols_user(s, &self, 16);
	assert_false(nowhere->is_resolved);
	/* Another process of the same number does not get these names. */
	struct image gone = { 0x3fffffff, 1, 1, "gone" };
	const struct symbol *other = symbols_user(s, &gone, (uint64_t)(uintptr_t)known_function);
	assert_false(other->is_resolved);
	assert_true(text_is(other->object, "gone"));
	struct symbols_stat stat;
	symbols_stat(s, &stat);
	assert_int_equal(stat.processes, 2);
	assert_int_equal(stat.files, 1);
	symbols_free(s);
	close(proc_fd);
}

static void damaged_elf_files_are_refused_or_read(void **state)
{
	int fd = own_file(), copy = memfd_create("copy", MFD_CLOEXEC);
	struct stat st;
	struct err e = { 0 };
	uint32_t seed = 1;
	(void)state;

	assert_int_equal(fstat(fd, &st), 0);
	size_t size = (size_t)st.st_size;
	char *bytes = malloc(size);
	assert_non_null(bytes);
	assert_int_equal(read(fd, bytes, size), size);
	for (int round = 0; round < 200; round++) {
		struct elf_index x = { 0 };
		assert_int_equal(ftruncate(copy, 0), 0);
		/* Headers, then section headers: where every offset and size is. */
		size_t cut = round % 4 ? size : size / 200 * (size_t)round;
		assert_int_equal(pwrite(copy, bytes, cut, 0), cut);
		for (int i = 0; i < 8; i++) {
			seed = seed * 1103515245 + 12345;
			off_t at = round % 2 ? (off_t)(seed >> 8) % 4096 : (off_t)(size - 1 - (seed >> 8) % 4096);
			char junk = (char)(seed >> 16);
			if ((size_t)at < cut)
				assert_int_equal(pwrite(copy, &junk, 1, at), 1);
		}
		uint64_t vaddr;
		if (!elf_index_read(&x, copy, "/hostile", &e) && elf_index_vaddr(&x, 0x1000, &vaddr))
			symtab_find(&x.symtab, vaddr, NULL);
		elf_index_fini(&x);
	}
	free(bytes);
	close(copy);
	close(fd);
}

static void file_offsets_become_addresses_by_segment(void **state)
{
	struct elf_load loads[] = { { 0, 0x1000, 0x400000 }, { 0x2000, 0x500, 0x603000 } };
	struct elf_index x = { .loads = { loads, 2, 2 } };
	uint64_t vaddr;
	(void)state;

	assert_true(elf_index_vaddr(&x, 0x10, &vaddr));
	assert_int_equal(vaddr, 0x400010);
	assert_true(elf_index_vaddr(&x, 0x24ff, &vaddr));
	assert_int_equal(vaddr, 0x6034ff);
	assert_false(elf_index_vaddr(&x, 0x2500, &vaddr));
	assert_false(elf_index_vaddr(&x, 0x1800, &vaddr));
}

static void starts_of_nameless_functions_are_read(void **state)
{
	struct {
		uint8_t version, frame_enc, count_enc, table_enc;
		int32_t frame;
		uint32_t count;
		int32_t table[4];
	} hdr = { 1, 0x1b, 0x03, 0x3b, 0, 2, { -0x1000, 0, -0xf00, 0 } };
	struct starts s = { 0 };
	uint64_t start;
	(void)state;

	assert_true(starts_parse(&s, &hdr, sizeof(hdr), 0x5000));
	assert_false(starts_find(&s, 0x3fff, &start));
	assert_true(starts_find(&s, 0x40ff, &start));
	assert_int_equal(start, 0x4000);
	assert_true(starts_find(&s, 0x4100, &start));
	assert_int_equal(start, 0x4100);
	starts_fini(&s);
	hdr.count = UINT32_MAX;
	assert_false(starts_parse(&s, &hdr, sizeof(hdr), 0x5000));
	hdr.count = 2;
	hdr.table_enc = 0xff;
	assert_false(starts_parse(&s, &hdr, sizeof(hdr), 0x5000));
	assert_false(starts_parse(&s, &hdr, 3, 0x5000));
	starts_fini(&s);
}

static void mappings_are_parsed_whatever_their_path(void **state)
{
	static const char text[] =
		"00400000-00401000 r--p 00000000 fd:01 12 /bin/x\n"
		"00401000-00402000 r-xp 00001000 fd:01 12 /bin/with two  blanks (deleted)\n"
		"nonsense\n"
		"00500000-00400000 r-xp 00000000 00:00 0 \n"
		"7f0000000000-7f0000001000 rwxp 00000000 00:00 0 \n"
		"7ffd00000000-7ffd00002000 r-xp 00000000 00:00 0 [vdso]\n"
		"ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]";
	struct maps m = { 0 };
	struct err e = { 0 };
	(void)state;

	assert_int_equal(maps_parse(&m, text, sizeof(text) - 1, &e), 0);
	assert_int_equal(m.rows.len, 4);
	assert_null(maps_find(&m, 0x400000));
	const struct mapping *x = maps_find(&m, 0x401fff);
	assert_non_null(x);
	assert_string_equal(maps_path(&m, x), "/bin/with two  blanks (deleted)");
	assert_int_equal(x->offset, 0x1000);
	assert_int_equal(x->ino, 12);
	assert_int_equal(x->major, 0xfd);
	assert_null(maps_find(&m, 0x402000));
	assert_string_equal(maps_path(&m, maps_find(&m, 0x7f0000000010)), "");
	assert_string_equal(maps_path(&m, maps_find(&m, 0xffffffffff600010)), "[vsyscall]");
	maps_fini(&m);
}

static void perf_maps_of_a_runtime_are_parsed(void **state)
{
	static const char text[] = "1000 20 LazyCompile:~a b c\nzz\n1000 20 replaced later\n2000 0 empty\n"
				   "3000 10 \nffffffffffffffff 10 wraps\n4000 10 unfinished";
	struct symtab t = { 0 };
	(void)state;

	assert_true(perfmap_parse(&t, text, sizeof(text) - 1));
	assert_string_equal(name_at(&t, 0x101f), "replaced later");
	assert_string_equal(name_at(&t, 0x2000), "");
	assert_string_equal(name_at(&t, 0x4000), "");
	assert_int_equal(t.syms.len, 1);
	symtab_fini(&t);
}

static void mangled_names_are_readable(void **state)
{
	static const char *const names[][2] = {
		{ "_ZN4acme6Widget4spinEi", "acme::Widget::spin" },
		{ "_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core::fmt::Formatter::pad" },
		{ "_RNvNtC5crate6module8function", "crate::module::function" },
		{ "_D3std5stdio4File5closeMFZv", "std.stdio.File.close" },
	};
	(void)state;

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		char *plain = names_demangle(names[i][0]);
		assert_non_null(plain);
		assert_non_null(strstr(plain, names[i][1]));
		free(plain);
	}
	assert_null(names_demangle("main"));
	assert_null(names_demangle(""));
	assert_null(names_demangle("_Z"));
	char *big = malloc(100001);
	assert_non_null(big);
	memset(big, 'N', 100000);
	memcpy(big, "_ZN", 3);
	big[100000] = 0;
	assert_null(names_demangle(big));
	free(big);
}

static void hostile_names_are_cleaned_and_kept_once(void **state)
{
	struct names n = { 0 };
	const struct symbol flags = { .is_resolved = true };
	const char *raw = "f\x1b]0;owned\x07\xff", *object = "lib\x1b[2J.so";
	char endless[20000];
	(void)state;

	const struct symbol *s = names_symbol(&n, raw, object, &flags);
	assert_null(strchr(s->symbol.utf8, 0x1b));
	assert_null(strchr(s->symbol.utf8, 0x07));
	assert_null(strchr(s->object.utf8, 0x1b));
	assert_ptr_equal(names_symbol(&n, raw, object, &flags), s);
	assert_ptr_not_equal(names_symbol(&n, raw, "other", &flags), s);
	memset(endless, 'x', sizeof(endless) - 1);
	endless[sizeof(endless) - 1] = 0;
	assert_true(names_symbol(&n, endless, object, &flags)->symbol.len <= 512);
	assert_int_equal(n.refused, 0);
	names_fini(&n);
}

static void a_full_table_is_counted(void **state)
{
	struct names n = { 0 };
	const struct symbol flags = { .is_resolved = true };
	char name[600];
	(void)state;

	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = 0;
	for (int i = 0; i < 100000; i++) {
		int len = snprintf(name, sizeof(name), "%d", i);
		name[len] = 'x';
		const struct symbol *s = names_symbol(&n, name, "o", &flags);
		assert_non_null(s);
		assert_non_null(s->symbol.utf8);
	}
	assert_true(n.refused > 0);
	assert_true(n.arena.held_bytes <= (size_t)32 << 20);
	names_fini(&n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_respected),
		cmocka_unit_test(a_lookup_takes_logarithmic_steps),
		cmocka_unit_test(own_functions_are_found_through_the_mappings),
		cmocka_unit_test(damaged_elf_files_are_refused_or_read),
		cmocka_unit_test(file_offsets_become_addresses_by_segment),
		cmocka_unit_test(starts_of_nameless_functions_are_read),
		cmocka_unit_test(mappings_are_parsed_whatever_their_path),
		cmocka_unit_test(perf_maps_of_a_runtime_are_parsed),
		cmocka_unit_test(mangled_names_are_readable),
		cmocka_unit_test(hostile_names_are_cleaned_and_kept_once),
		cmocka_unit_test(a_full_table_is_counted),
	};

	return cmocka_run_group_tests_name("symbols_user", tests, NULL, NULL);
}
