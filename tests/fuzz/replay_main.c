/* Runs a fuzz target over files and folders of seeds, where there is no fuzzer. */
#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Feed one file; false when it cannot be read. */
static bool replay_file(const char *path)
{
	FILE *f = fopen(path, "re");
	struct stat st;
	uint8_t *data = NULL;
	size_t size = 0;
	bool ok = f && fstat(fileno(f), &st) == 0;

	if (ok) {
		/* Exactly as long as the input, so that a sanitizer sees reads past its end. */
		data = malloc(st.st_size > 0 ? (size_t)st.st_size : 1);
		ok = data != NULL;
	}
	if (ok) {
		size = fread(data, 1, (size_t)st.st_size, f);
		ok = !ferror(f);
	}
	if (ok)
		LLVMFuzzerTestOneInput(data, size);
	else
		fprintf(stderr, "cannot read %s\n", path);
	free(data);
	if (f)
		fclose(f);
	return ok;
}

static bool replay(const char *path, size_t *n)
{
	DIR *dir = opendir(path);
	const struct dirent *entry;
	bool ok = true;

	if (!dir) {
		(*n)++;
		return replay_file(path);
	}
	while ((entry = readdir(dir))) {
		char *below = NULL;

		if (entry->d_name[0] == '.')
			continue;
		if (asprintf(&below, "%s/%s", path, entry->d_name) < 0) {
			ok = false;
			break;
		}
		ok &= replay(below, n);
		free(below);
	}
	closedir(dir);
	return ok;
}

int main(int argc, char **argv)
{
	size_t n = 0;
	bool ok = argc > 1;

	for (int i = 1; i < argc; i++)
		ok &= replay(argv[i], &n);
	printf("%zu inputs replayed\n", n);
	return ok && n ? EXIT_SUCCESS : EXIT_FAILURE;
}
