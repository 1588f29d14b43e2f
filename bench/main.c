/* main.c - the benchmark: runs the groups, prints a table, writes it as JSON.
 *
 *     bench FILE.json [GROUP...]     runs the groups named, or all
 *     bench --markdown FILE.json     prints the ratios of a run as a table in Markdown
 *     bench --list                   names the groups
 */
#include <stdio.h>
#include <string.h>

#include "groups.h"
#include "report.h"

#define GROUPS (sizeof groups / sizeof groups[0])
#define DIGITS 6

static int usage(void)
{
    fprintf(stderr, "usage: bench FILE.json [GROUP...] | --markdown FILE.json | --list\n");
    return 2;
}

static int list(void)
{
    for (size_t i = 0; i < GROUPS; i++)
        printf("%-12s %s\n", groups[i]->name, groups[i]->title);
    return 0;
}

static int markdown(const char *path)
{
    json_error_t error;
    json_t *json = json_load_file(path, 0, &error);
    if (json == NULL) {
        fprintf(stderr, "bench: cannot read %s: %s\n", path, error.text);
        return 2;
    }
    report_print_markdown(json);
    json_decref(json);
    return 0;
}

static bool chosen(const char *name, char **names, int count)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0)
            return true;
    }
    return count == 0;
}

static bool known(const char *name)
{
    for (size_t i = 0; i < GROUPS; i++) {
        if (strcmp(groups[i]->name, name) == 0)
            return true;
    }
    fprintf(stderr, "bench: unknown group %s: `bench --list` names them\n", name);
    return false;
}

static bool written(const bench *b, const char *path)
{
    if (json_dump_file(b->json, path, JSON_INDENT(2) | JSON_REAL_PRECISION(DIGITS)) == 0)
        return true;
    fprintf(stderr, "bench: cannot write %s\n", path);
    return false;
}

/* Writes the file after each group, so that an interrupted run keeps what it measured. */
static int run(const char *path, char **names, int count)
{
    for (int i = 0; i < count; i++) {
        if (!known(names[i]))
            return 2;
    }
    bench b = report_new();
    for (size_t i = 0; b.json != NULL && i < GROUPS; i++) {
        if (!chosen(groups[i]->name, names, count))
            continue;
        printf("%s: %s\n", groups[i]->name, groups[i]->title);
        bench_random_again();
        groups[i]->run(&b);
        (void)fflush(stdout);
        if (!written(&b, path))
            return 1;
    }
    report_print_goals(b.json);
    json_decref(b.json);
    if (!b.right)
        fprintf(stderr, "bench: something failed its check and was not timed, see above\n");
    return b.right ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--list") == 0)
        return list();
    if (argc == 3 && strcmp(argv[1], "--markdown") == 0)
        return markdown(argv[2]);
    if (argc < 2 || argv[1][0] == '-')
        return usage();
    return run(argv[1], argv + 2, argc - 2);
}
