/* check_more.c - modified Hamiltonians and Lyapunov exponents of integrators. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "cli/files/json.h"
#include "cli/grid.h"
#include "cli/tool.h"

/* ---- modified Hamiltonians ------------------------------------------------------- */

static const char *const terms[][PH_TRUNCATIONS] = {
    {"H", "+ h^2 H3", "+ h^4 H5"},
    {"unmodified", "to h^2", "to h^4"},
};

static const char *problem_of(const check_row *row)
{
    return row->integrator.scheme ? "generic" : "free";
}

static void print_errors(outfile *out, const ph_modified_measurement *m,
                         const char *const *head, const double error[][PH_MODIFIED_STEPS],
                         const double *slope)
{
    outfile_print(out, "  %10s", "step");
    for (int k = 0; k < PH_TRUNCATIONS; k++)
        outfile_print(out, "  %10s", head[k]);
    for (int n = 0; n < PH_MODIFIED_STEPS; n++) {
        outfile_print(out, "\n  %10g", m->h[n]);
        for (int k = 0; k < PH_TRUNCATIONS; k++)
            outfile_print(out, "  %10.2e", error[k][n]);
    }
    outfile_print(out, "\n  %10s", "order");
    for (int k = 0; k < PH_TRUNCATIONS; k++) {
        if (isnan(slope[k]))
            outfile_print(out, "  %10s", "?");
        else
            outfile_print(out, "  %10.2f", slope[k]);
    }
    outfile_print(out, "\n");
}

static void print_modified(outfile *out, const check_row *row, const ph_modified_measurement *m)
{
    check_title(out, row);
    if (m->motion)
        outfile_print(out,
                      "  distance from the motion of the modified equation (HV 4), free "
                      "body, t = %g\n",
                      m->time);
    else
        outfile_print(out,
                      "  modified Hamiltonian, problem %s, to t = %g: its largest "
                      "change\n",
                      problem_of(row), m->time);
    print_errors(out, m, terms[m->motion], m->error, m->slope);
    if (!m->bracket)
        return;
    outfile_print(out,
                  "  the bracket that it keeps, (1 + h^2 g3 + h^4 g5) hat(y): defect "
                  "of a step\n");
    print_errors(out, m, terms[1], m->bracket_defect, m->bracket_slope);
}

static json_t *numbers_json(const double *x, int count)
{
    json_t *array = json_array();
    for (int n = 0; n < count; n++)
        (void)json_array_append_new(array, json_finite(x[n]));
    return array;
}

static json_t *truncations_json(const double error[][PH_MODIFIED_STEPS],
                                const double *slope)
{
    json_t *array = json_array();
    for (int k = 0; k < PH_TRUNCATIONS; k++)
        (void)json_array_append_new(array,
                                    json_pack("{si so so}", "power", 2 * k, "errors",
                                              numbers_json(error[k], PH_MODIFIED_STEPS),
                                              "order", json_finite(slope[k])));
    return array;
}

static json_t *modified_json(const check_row *row, const ph_modified_measurement *m)
{
    return json_pack("{ss s{ss ss sf so so so*}}", "name", row->name, "modified", "kind",
                     m->motion ? "motion" : "energy", "problem", problem_of(row), "time",
                     m->time, "steps", numbers_json(m->h, PH_MODIFIED_STEPS),
                     "truncations", truncations_json(m->error, m->slope), "bracket",
                     m->bracket ? truncations_json(m->bracket_defect, m->bracket_slope)
                                : NULL);
}

static int check_one_modified(outfile *out, const check_row *row, bool all, json_t *into,
                              size_t *done)
{
    ph_modified_measurement m;
    const ph_status status = ph_measure_modified(&m, &row->integrator);
    if (status == PH_NOT_APPLICABLE && all)
        return 0;
    REFUSE_IF(
        status == PH_NOT_APPLICABLE,
        "no modified Hamiltonian is known of " WORDS
        ": take dmv2, imr2, or a splitting: mr, sr2, or a scheme over these or exact",
        row->name);
    if (status != PH_OK)
        return fail_run("%s: %s", row->name, ph_status_text(status));
    if (into != NULL) {
        (void)json_array_append_new(into, modified_json(row, &m));
    } else {
        outfile_print(out, "%s", *done == 0 ? "" : "\n");
        print_modified(out, row, &m);
    }
    ++*done;
    return 0;
}

/* ---- Lyapunov exponents ---------------------------------------------------------- */

static const double LYAPUNOV_STEP = 0.05;
enum { LYAPUNOV_STEPS = 110000 };

static int check_one_lyapunov(outfile *out, const check_row *row, bool all, json_t *into,
                              size_t *done)
{
    static const char *const fields[] = {"well", "heavy_top", "generic"}, *const none[] =
                                                                              {"free"};
    const ph_integrator *i = &row->integrator;
    const bool in_field = i->method != NULL || i->scheme != NULL || i->adaptive != NULL;
    const size_t count = in_field ? sizeof fields / sizeof fields[0] : 1;
    json_t *array = json_array();
    (void)all;
    if (into == NULL) {
        outfile_print(out, "%s", *done == 0 ? "" : "\n");
        check_title(out, row);
    }
    for (size_t k = 0; k < count && !interrupted; k++) {
        const char *name = in_field ? fields[k] : none[k];
        const ph_problem *p = NULL;
        ph_lyapunov found;
        (void)ph_problem_named(name, &p);
        const ph_status status =
            ph_lyapunov_of_body(&found, i, p, LYAPUNOV_STEP, LYAPUNOV_STEPS);
        if (status != PH_OK)
            found = (ph_lyapunov){NAN, NAN, NAN};
        const bool chaotic = found.exponent > 3.0 * found.error;
        (void)json_array_append_new(
            array,
            json_pack("{ss so so so sf so}", "problem", name, "exponent",
                      json_finite(found.exponent), "error", json_finite(found.error),
                      "time", json_finite(found.time), "step", LYAPUNOV_STEP, "chaotic",
                      isnan(found.exponent) ? json_null() : json_boolean(chaotic)));
        if (into == NULL && status == PH_OK)
            outfile_print(out, "  %-12s %8.4f +- %.4f per time, t = %.0f, h = %g%s\n",
                          name, found.exponent, found.error, found.time, LYAPUNOV_STEP,
                          chaotic ? ": chaotic" : "");
        else if (into == NULL)
            outfile_print(out, "  %-12s %s\n", name, ph_status_text(status));
    }
    if (into != NULL)
        (void)json_array_append_new(into, json_pack("{ss so}", "name", row->name,
                                                    "lyapunov", json_incref(array)));
    json_decref(array);
    ++*done;
    return 0;
}

/* ---- either, of all rows --------------------------------------------------------- */

int check_more(outfile *out, const check_list *list, bool modified, bool all, bool json)
{
    json_t *into = json ? json_array() : NULL;
    size_t done = 0;
    int status = 0;
    progress_begin(false);
    for (size_t k = 0; k < list->count && status == 0 && !interrupted; k++) {
        status = (modified ? check_one_modified : check_one_lyapunov)(out, &list->row[k],
                                                                      all, into, &done);
        progress_show(k + 1, (double)(k + 1) / (double)list->count);
    }
    progress_end();
    if (status == 0 && interrupted)
        status = stopped("interrupted after %zu of %zu: the output covers these", done,
                         list->count);
    if (status == 0 && json) {
        if (!json_write(out, into, JSON_INDENT(2)))
            status = fail_memory();
        outfile_print(out, "\n");
    } else {
        json_decref(into);
    }
    return status;
}
