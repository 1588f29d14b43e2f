/* result.c - the files of a figure in a folder. */
#include "papers/result.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/files/json.h"
#include "cli/files/posix.h"

char *result_path(const ph_figure *f, const char *folder, const char *ending)
{
    char name[128];
    (void)snprintf(name, sizeof name, "%s.%s", f->name, ending);
    return folder_file(folder, name);
}

static void seed_text(const ph_figure *f, char text[RESULT_WORD])
{
    (void)snprintf(text, RESULT_WORD, "%016" PRIx64, figure_seed(f->name));
}

static void copy_word(char to[RESULT_WORD], const char *from)
{
    (void)snprintf(to, RESULT_WORD, "%s", from);
}

void result_read(result *r, const ph_figure *f, const char *folder)
{
    char seed[RESULT_WORD];
    seed_text(f, seed);
    char *csv = result_path(f, folder, "csv"), *path = result_path(f, folder, "json");
    *r = (result){.figure = f};
    const bool numbers = csv != NULL && table_read_csv(&r->numbers, csv);
    json_t *key = numbers && path != NULL ? json_load_file(path, 0, NULL) : NULL;
    if (numbers)
        figure_judge(f, &r->numbers, &r->claims);
    const char *version, *effort, *its_seed;
    if (key != NULL &&
        json_unpack(key, "{ss ss ss sF}", "version", &version, "effort", &effort, "seed",
                    &its_seed, "seconds", &r->seconds) == 0) {
        copy_word(r->version, version);
        copy_word(r->effort, effort);
        r->same_seed = strcmp(its_seed, seed) == 0;
        r->finished = true;
        json_t *now = result_json(r);
        r->judged_otherwise = json_equal(key, now) == 0;
        json_decref(now);
    }
    json_decref(key);
    free(path);
    free(csv);
}

void result_free(result *r)
{
    table_free(&r->numbers);
}

result *results_read(const ph_figure *const *figures, size_t count, const char *folder)
{
    result *results = calloc(count + 1, sizeof *results);
    for (size_t i = 0; i < count && results != NULL; i++)
        result_read(&results[i], figures[i], folder);
    return results;
}

void results_free(result *results, size_t count)
{
    for (size_t i = 0; i < count && results != NULL; i++)
        result_free(&results[i]);
    free(results);
}

bool result_current(const result *r, figure_effort effort)
{
    return r->finished && r->same_seed && strcmp(r->version, ph_version()) == 0 &&
           strcmp(r->effort, figure_effort_text(effort)) == 0;
}

static json_t *statement_json(const statement *x)
{
    return json_pack("{ss ss? ss? so so so sb sb}", "claim", x->text, "words", x->words,
                     "where", x->where, "measured", json_finite(x->measured), "lower",
                     json_finite(x->lower), "upper", json_finite(x->upper), "holds",
                     (int)statement_holds(x), "correction", (int)x->correction);
}

json_t *result_json(const result *r)
{
    char reason[REASON_TEXT], seed[RESULT_WORD];
    seed_text(r->figure, seed);
    json_t *array = json_array();
    for (size_t i = 0; i < r->claims.count; i++)
        (void)json_array_append_new(array, statement_json(&r->claims.at[i]));
    return json_pack("{ss ss ss ss ss ss sf so}", "name", r->figure->name, "verdict",
                     verdict_text(claims_verdict(&r->claims)), "reason",
                     claims_reason(&r->claims, reason), "effort", r->effort, "version",
                     r->version, "seed", seed, "seconds", r->seconds, "findings", array);
}

int result_finish(result *r, const char *folder, figure_effort effort, double seconds)
{
    copy_word(r->effort, figure_effort_text(effort));
    copy_word(r->version, ph_version());
    r->seconds = seconds;
    char *path = result_path(r->figure, folder, "json");
    outfile *out = path == NULL ? NULL : outfile_open(path);
    const int opened = out == NULL ? errno : 0;
    free(path);
    if (out == NULL)
        return opened;
    if (!json_write(out, result_json(r), JSON_INDENT(1))) {
        outfile_discard(out);
        return ENOMEM;
    }
    outfile_print(out, "\n");
    r->finished = true;
    r->judged_otherwise = false;
    return outfile_close(out, NULL);
}
