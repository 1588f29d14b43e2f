/* fit_command.c - the motion that observations in a file show: inertia, start and parameters. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/choice.h"
#include "base/extremes.h"
#include "base/text.h"
#include "fit.help.h"
#include "polhode/fit.h"
#include "tool/base/rendering.h"
#include "tool/files/memory.h"
#include "tool/input/body_columns.h"
#include "tool/input/model.h"
#include "tool/output/loop.h"

/* The keys of an observation. */
enum { SEEN, SIGMA = SEEN + PH_SEEN_KINDS, SUN = SIGMA + PH_SEEN_KINDS, OBSERVER, SPACE, KEYS };
static const setting_key keys[KEYS] = {
    [SEEN + PH_SEEN_ATTITUDE] = {"attitude", .unit = "1", .columns = "q0,q1,q2,q3"},
    [SEEN + PH_SEEN_VELOCITY] = {"velocity", .unit = "rad/t", .columns = "w1,w2,w3"},
    [SEEN + PH_SEEN_AXIS] = {"axis", .unit = "1", .columns = "axis1,axis2,axis3"},
    [SEEN + PH_SEEN_VECTOR] = {"vector", .unit = "1", .columns = "b1,b2,b3"},
    [SEEN + PH_SEEN_BRIGHTNESS] = {"brightness", .unit = "1", .columns = "brightness"},
    [SIGMA + PH_SEEN_ATTITUDE] = {"sigma_q", .unit = "rad", .columns = "sigma_q"},
    [SIGMA + PH_SEEN_VELOCITY] = {"sigma_w", .unit = "rad/t", .columns = "sigma_w"},
    [SIGMA + PH_SEEN_AXIS] = {"sigma_axis", .unit = "rad", .columns = "sigma_axis"},
    [SIGMA + PH_SEEN_VECTOR] = {"sigma_b", .unit = "rad", .columns = "sigma_b"},
    [SIGMA + PH_SEEN_BRIGHTNESS] = {"sigma_brightness", .unit = "", .columns = "sigma_brightness"},
    [SUN] = {"sun", .unit = "1", .columns = "sun1,sun2,sun3"},
    [OBSERVER] = {"observer", .unit = "1", .columns = "observer1,observer2,observer3"},
    [SPACE] = {"space", .unit = "1", .columns = "s1,s2,s3"},
};

/* Names of the residuals of each kind. */
static const char *const residual_names[PH_SEEN_KINDS][3] = {
    {"theta1", "theta2", "theta3"}, {"dw1", "dw2", "dw3"}, {"daxis1", "daxis2", "daxis3"},
    {"db1", "db2", "db3"},          {"dbrightness"},
};

enum { ROW_TEXT = 600, RIVALS = 40 }; /* bytes of a line of residuals; solutions */

typedef struct job {
    const arguments *given;
    rendering r;
    const char *path, *out;
    ph_observations seen;
    double *time, *column[KEYS]; /* of each key, row after row; NULL if the file has none */
    const char *parameter[PH_PARAMETER_VALUES];
    ph_fit_settings settings;
    scenario input;
    model model;
    bool field; /* a problem is given */
    double *residuals;
    ph_fit fit, rival[RIVALS];
    outfile *rows;
    pictures pictures;
    atomic_ullong asked; /* how often the fit has asked whether to go on */
    atomic_flag showing; /* a thread shows the progress */
} job;

/* ---- observations ---------------------------------------------------------------------- */

/* Refuses a column that belongs to no key. */
static int refuse_column(const job *j, const char *wrong)
{
    nearest near_by = {.wrong = wrong};
    ph_nearest_add(&near_by, "t");
    for (int k = 0; k < KEYS; k++) {
        const char *rest = keys[k].columns, *name;
        while ((name = memory_word(&rest)) != NULL)
            ph_nearest_add(&near_by, "%s", name);
    }
    return fail_unknown(memory_text("%.300s: ", j->path), "column", &near_by,
                        "`polhode fit --help`");
}

static int read_columns(job *j)
{
    body_columns c;
    double *x = NULL;
    size_t *rows = &j->seen.count;
    TRY(body_columns_open(
        &c, j->path,
        &(wanted_columns){
            .keys = keys, .count = KEYS, .time = TIME_NEEDED, .degrees = j->input.degrees}));
    if (c.copied.count > 0)
        TRY(refuse_column(j, c.copied.name[0]));
    TRY(body_columns_rows(&c, (ph_quat){1.0, 0.0, 0.0, 0.0}, &x, &j->time, rows));
    for (size_t i = 0; i < c.parts; i++) {
        const body_part *p = &c.part[i];
        double *to = j->column[p->key - keys] = memory_new(*rows * p->count, sizeof *to);
        for (size_t n = 0; n < *rows * p->count; n++)
            to[n] = x[n / p->count * c.width + p->at + n % p->count];
    }
    return 0;
}

/* Gives a standard deviation of --sigma to the observations of a kind. */
static int give_sigma(job *j, int kind, const char *text)
{
    const setting_key *of = &keys[SIGMA + kind];
    const char *unit;
    double sigma;
    TRY(read_quantities("--sigma", "s", text, 1, &sigma, &unit));
    REFUSE_IF(!(sigma > 0.0), "--sigma %g: write a positive number", sigma);
    REFUSE_IF(!quantity_convert(of->unit, j->input.degrees, unit, &sigma), "--sigma %s: %s %s",
              text, of->name, unit_problem(of->unit, unit));
    double *to = j->column[SIGMA + kind] = memory_new(j->seen.count, sizeof *to);
    for (size_t i = 0; i < j->seen.count; i++)
        to[i] = sigma;
    return 0;
}

/* Gives the standard deviations of --sigma to those observations that have no column for them: one
 * for all, or one for each kind by the name that ends its column. */
static int take_sigma(job *j)
{
    const char *text = argument(j->given, "--sigma"), *rest = text, *word;
    const bool named = text != NULL && strchr(text, '=') != NULL;
    for (int k = 0; k < PH_SEEN_KINDS && text != NULL && !named; k++) {
        if (j->column[SEEN + k] != NULL && j->column[SIGMA + k] == NULL)
            TRY(give_sigma(j, k, text));
    }
    while (named && (word = memory_word(&rest)) != NULL) {
        const char *value = strchr(word, '=');
        nearest near_by = {.wrong = memory_text("%.*s", (int)strcspn(word, "="), word)};
        int kind = -1;
        for (int k = 0; k < PH_SEEN_KINDS; k++) {
            const char *name = keys[SIGMA + k].name + strlen("sigma_");
            ph_nearest_add(&near_by, "%s", name);
            if (strcmp(near_by.wrong, name) == 0)
                kind = k;
        }
        if (kind < 0)
            return fail_unknown("--sigma: ", "observation", &near_by, "`polhode fit --help`");
        REFUSE_IF(value == NULL, "--sigma %s: write %s=S, with S its standard deviation", word,
                  word);
        REFUSE_IF(j->column[SEEN + kind] == NULL,
                  "--sigma %s: the file has no such observations: remove it", word);
        REFUSE_IF(j->column[SIGMA + kind] != NULL,
                  "--sigma %s: it was given before, or is in the file: remove it", word);
        TRY(give_sigma(j, kind, value + 1));
    }
    return 0;
}

static int read_observations(job *j)
{
    TRY(read_columns(j));
    TRY(take_sigma(j));
    ph_observations *o = &j->seen;
    o->t = j->time, o->sun = j->column[SUN], o->observer = j->column[OBSERVER];
    o->space = j->column[SPACE];
    for (int k = 0; k < PH_SEEN_KINDS; k++) {
        o->seen[k] = j->column[SEEN + k];
        o->sigma[k] = j->column[SIGMA + k];
    }
    REFUSE_IF((o->seen[PH_SEEN_AXIS] != NULL) != (argument(j->given, "--axis") != NULL),
              "--axis and the columns axis1,axis2,axis3 must be used together: give both");
    o->undirected = argument(j->given, "--undirected") != NULL;
    REFUSE_IF(o->undirected && o->seen[PH_SEEN_AXIS] == NULL,
              "--undirected needs the columns axis1,axis2,axis3: add them, or remove it");
    if (o->seen[PH_SEEN_AXIS] != NULL)
        return argument_numbers(j->given, "--axis", 3, &o->axis.x);
    return 0;
}

/* ---- what is asked for --------------------------------------------------------------- */

/* Finds the word of an option among some: *chosen is its number from 1, or 0 if it is not given. */
static int choose_word(const arguments *given, const char *name, const char *const *words,
                       int count, int *chosen)
{
    const char *text = argument(given, name);
    nearest near_by = {.wrong = text};
    *chosen = 0;
    for (int k = 0; k < count && text != NULL; k++) {
        ph_nearest_add(&near_by, "%s", words[k]);
        if (strcmp(text, words[k]) == 0)
            *chosen = k + 1;
    }
    if (text == NULL || *chosen > 0)
        return 0;
    return fail_unknown("", name + 2, &near_by, "`polhode fit --help`");
}

static int read_sought(job *j)
{
    static const char *const start[] = {"inertia", "attitude", "velocity", "bias"};
    const char *rest = argument(j->given, "--free"), *word;
    ph_fit_settings *s = &j->settings;
    s->sought = rest == NULL ? PH_FIT_ALL : 0;
    s->parameters = j->parameter;
    while ((word = memory_word(&rest)) != NULL) {
        unsigned bit = 0;
        for (unsigned k = 0; k < COUNT(start); k++) {
            if (strcmp(word, start[k]) == 0)
                bit |= 1U << k;
            else
                bit |= 0U;
        }
        s->sought |= bit;
        if (bit != 0)
            continue;
        REFUSE_IF(s->parameter_count == COUNT(j->parameter),
                  "--free has too many names: remove some of them");
        j->parameter[s->parameter_count++] = word;
    }
    return 0;
}

/* Threads call this at the same time; one of them shows the progress. */
static bool show_fit_progress(void *context)
{
    job *j = context;
    const unsigned long long asked = atomic_fetch_add(&j->asked, 1) + 1;
    if (!atomic_flag_test_and_set(&j->showing)) {
        progress_show(asked, -1.0);
        atomic_flag_clear(&j->showing);
    }
    return !interrupted;
}

static int read_request(job *j)
{
    static const char *const losses[] = {"squares", "huber", "cauchy"};
    static const char *const laws[] = {"lommel_seeliger", "lambert"};
    const arguments *given = j->given;
    int loss, law;
    TRY(input_take(&j->input, given, false));
    j->input.degrees = argument(given, "--degrees") != NULL;
    TRY(choose_word(given, "--loss", losses, COUNT(losses), &loss));
    TRY(choose_word(given, "--law", laws, COUNT(laws), &law));
    setting *problem = &j->input.value[KEY_PROBLEM];
    j->field = problem->is_set;
    if (!problem->is_set)
        *problem = (setting){.is_set = true, .text = "free"};
    TRY(model_read(&j->input, &j->model));
    j->settings.system = &j->model.settings;
    j->settings.loss = (ph_fit_loss)larger_int(loss - 1, 0);
    j->settings.law = (ph_scattering)larger_int(law - 1, 0);
    j->settings.principal = argument(given, "--principal") != NULL;
    j->settings.rivals = j->rival;
    j->settings.rival_room = RIVALS;
    j->settings.go_on = show_fit_progress;
    j->settings.context = j;
    TRY(read_sought(j));
    return read_observations(j);
}

/* ---- results ----------------------------------------------------------------------------- */

/* Lists the names of all residuals in their order. Returns how many there are. */
static size_t list_residuals(const job *j, const char *name[3 * PH_SEEN_KINDS])
{
    size_t count = 0;
    for (int k = 0; k < PH_SEEN_KINDS * 3; k++) {
        if (j->seen.seen[k / 3] != NULL && residual_names[k / 3][k % 3] != NULL)
            name[count++] = residual_names[k / 3][k % 3];
    }
    return count;
}

/* Returns a line with the time, the residuals, and the observed and the computed brightness. */
static const char *row_text(const job *j, size_t i, char text[ROW_TEXT])
{
    const size_t width = ph_fit_width(&j->seen);
    const double *r = j->residuals + i * width, *light = j->seen.seen[PH_SEEN_BRIGHTNESS];
    int at = snprintf(text, ROW_TEXT, "%.17g", j->seen.t[i]);
    for (size_t k = 0; k < width; k++)
        at += snprintf(text + at, ROW_TEXT - (size_t)at, ",%.17g", r[k]);
    if (light != NULL)
        (void)snprintf(text + at, ROW_TEXT - (size_t)at, ",%.17g,%.17g", light[i],
                       light[i] - r[width - 1]);
    return text;
}

static int write_rows(job *j)
{
    const char *name[3 * PH_SEEN_KINDS];
    char text[ROW_TEXT];
    outfile_print(j->rows, "t");
    for (size_t k = 0, n = list_residuals(j, name); k < n; k++)
        outfile_print(j->rows, ",%s", name[k]);
    outfile_print(j->rows, "%s\n",
                  text_if(j->seen.seen[PH_SEEN_BRIGHTNESS] != NULL, ",brightness,computed"));
    for (size_t i = 0; i < j->seen.count; i++)
        outfile_print(j->rows, "%s\n", row_text(j, i, text));
    return file_close(j->rows, j->out, "");
}

static bool write_script(FILE *script, plot_format format, const void *context)
{
    const job *j = context;
    char text[ROW_TEXT];
    plot_begin(script, format,
               memory_text("%.*s: chi2 %.5g, %zu degrees of freedom", text_cut(j->path, 60),
                           j->path, j->fit.chi2, j->fit.degrees_of_freedom));
    (void)fputs("kinds = '", script);
    for (int k = 0; k < PH_SEEN_KINDS; k++)
        (void)fprintf(script, "%d ", j->seen.seen[k] != NULL);
    (void)fputs("'\n", script);
    (void)fputs("$rows << EOD\n", script);
    for (size_t i = 0; i < j->seen.count; i++)
        (void)fprintf(script, "%s\n", row_text(j, i, text));
    plot_data_end(script);
    return plot_end(script, "fit");
}

/* Whether a variable is determined, and not 1 by definition. */
static bool varies(const ph_fit *f, size_t k)
{
    return f->quantity[k].determined && f->quantity[k].sigma > 0.0;
}

static void render_covariance(rendering *r, const ph_fit *f)
{
    json_t *columns = json_array(), *rows = json_array();
    for (size_t k = 0; k < f->columns; k++) {
        if (!varies(f, k))
            continue;
        json_t *row = json_array();
        for (size_t i = 0; i < f->columns; i++) {
            if (varies(f, i))
                json_add(row, json_finite(f->covariance[k * f->columns + i]));
        }
        json_add(columns, json_string(f->column[k]));
        json_add(rows, row);
    }
    render_value(r, "covariance", json_pack("{so so}", "columns", columns, "matrix", rows));
}

/* States numbers under a name. The errors of the quantities from `first` on stand below for people, if
 * these were sought. */
static void render_vector(job *j, const ph_fit *f, const char *name, const double *x, int count,
                          const char *first)
{
    rendering *r = &j->r;
    size_t at = 0;
    if (*name != '\0' && count == 1)
        render_value(r, name, json_real(*x));
    else if (*name != '\0')
        render_value(r, name, json_numbers(x, (size_t)count, 1));
    while (first != NULL && at < f->quantities && strcmp(f->quantity[at].name, first) != 0)
        at++;
    render_text(r, "%-11s", name);
    for (int k = 0; k < count; k++)
        render_text(r, " %13.9g", x[k]);
    render_text(r, "\n");
    if (first == NULL || at == f->quantities)
        return;
    render_text(r, "%11s", "+-");
    for (int k = 0; k < count; k++) {
        const ph_fit_quantity *q = &f->quantity[at + (size_t)k];
        if (q->determined)
            render_text(r, " %13.2g", q->sigma);
        else
            render_text(r, " %13s", "not determ.");
    }
    render_text(r, "\n");
}

/* The digits that tell the ends of an interval apart; six where these are enough. */
static int digits_of(const double interval[2])
{
    enum { LEAST = 6, MOST = 17 };
    const double width = fabs(interval[1] - interval[0]),
                 size = larger_or_nan(fabs(interval[0]), fabs(interval[1]));
    if (!(width > 0.0))
        return LEAST;
    const double digits = 2.0 + ceil(log10(size / width));
    return (int)larger_or_nan(LEAST, smaller_or_nan(MOST, digits));
}

/* States the intervals, and the names of what is not determined. */
static void render_quantities(rendering *r, const ph_fit *f)
{
    json_t *missing = json_array(), *intervals = json_object();
    const char *before = "not determined: ";
    for (size_t k = 0; k < f->quantities; k++) {
        const ph_fit_quantity *q = &f->quantity[k];
        const double *one = q->interval[0], *two = q->interval[1];
        if (!q->determined || isnan(one[0]))
            continue;
        const int digits = digits_of(one);
        render_text(r, "%s is between %.*g and %.*g (68 %%), %.*g and %.*g (95 %%)\n", q->name,
                    digits, one[0], digits, one[1], digits, two[0], digits, two[1]);
        json_put(
            intervals, q->name,
            json_pack("{so so}", "68", json_numbers(one, 2, 1), "95", json_numbers(two, 2, 1)));
    }
    for (size_t k = 0; k < f->quantities; k++) {
        if (f->quantity[k].determined)
            continue;
        render_text(r, "%s%s", before, f->quantity[k].name);
        json_add(missing, json_string(f->quantity[k].name));
        before = ", ";
    }
    render_text(r, "%s", text_if(before[0] == ',', "\n"));
    render_value(r, "not_determined", missing);
    render_value(r, "intervals", intervals);
}

/* States the attitude. For people there are no numbers if all of it is open. */
static void render_attitude(rendering *r, const ph_fit *f)
{
    static const char *const angles[] = {"theta1", "theta2", "theta3"};
    size_t open = 0;
    for (size_t k = 0; k < f->quantities; k++) {
        for (size_t i = 0; i < COUNT(angles); i++)
            open += !f->quantity[k].determined && strcmp(f->quantity[k].name, angles[i]) == 0;
    }
    render_value(r, "attitude", json_numbers(&f->attitude.w, 4, 1));
    if (open == COUNT(angles))
        render_text(r, "%-11s %13s\n", "attitude", "not determ.");
    else
        render_text(r, "%-11s %13.9g %13.9g %13.9g %13.9g\n", "attitude", f->attitude.w,
                    f->attitude.x, f->attitude.y, f->attitude.z);
}

/* States a solution: the best, or a rival. */
static void render_solution(job *j, const ph_fit *f)
{
    rendering *r = &j->r;
    const bool inertia = (j->settings.sought & PH_FIT_INERTIA) != 0;
    json_t *trace = json_array();
    for (size_t k = 0; k < 3; k++)
        json_add(trace, json_numbers(f->over_trace_covariance + 3 * k, 3, 1));
    render_vector(j, f, "inertia", &f->body.J.x, 3, inertia ? "inertia1" : NULL);
    render_value(r, "inertia_sigma", json_numbers(f->moment_sigma, 3, 1));
    render_value(r, "inertia_over_trace", json_numbers(f->over_trace, 3, 1));
    render_value(r, "inertia_over_trace_covariance", trace);
    render_vector(j, f, "tensor", f->tensor, 3, "J11");
    render_vector(j, f, "", f->tensor + 3, 3, "J12");
    render_value(r, "tensor", json_numbers(f->tensor, 6, 1));
    render_value(r, "axes", json_numbers(&f->body.axes.w, 4, 1));
    render_attitude(r, f);
    render_vector(j, f, "velocity", &f->velocity.x, 3, "w1");
    if ((j->settings.sought & PH_FIT_BIAS) != 0)
        render_vector(j, f, "bias", &f->bias.x, 3, "bias1");
    render_object(r, "parameters");
    for (size_t k = 0; k < f->parameters; k++) {
        const char *name = f->column[f->columns - f->parameters + k];
        render_vector(j, f, name, &f->parameter[k], 1, name);
    }
    render_close(r);
    render_line(r, "chi2 degrees_of_freedom", "\nchi2 %.6g, %zu degrees of freedom\n%s", f->chi2,
                f->degrees_of_freedom,
                text_if(f->scaled, "sigma is unknown: the errors come from the scatter\n"));
    render_data(r, "?covariance_scaled", "%s", yes_or_no(f->scaled));
    if (f->scale_unseen)
        render_value(r, "scale", json_string("unobservable"));
    if (j->seen.seen[PH_SEEN_BRIGHTNESS] != NULL)
        render_value(r, "brightness", json_real(f->factor));
    render_quantities(r, f);
    json_t *unseen = json_array();
    for (size_t k = 0; k < f->unseen; k++) {
        render_text(r, "not determined: %s\n", f->unseen_text[k]);
        json_add(unseen, json_string(f->unseen_text[k]));
    }
    render_value(r, "unobservable", unseen);
    render_covariance(r, f);
}

/* States the residuals of all observations, for programs alone. */
static void render_residuals(job *j)
{
    const size_t width = ph_fit_width(&j->seen);
    const char *name[3 * PH_SEEN_KINDS];
    json_t *rows = json_array(), *names = json_array();
    for (size_t k = 0, n = list_residuals(j, name); k < n; k++)
        json_add(names, json_string(name[k]));
    for (size_t i = 0; i < j->seen.count; i++)
        json_add(rows, json_numbers(j->residuals + i * width, width, 1));
    render_value(&j->r, "residual_columns", names);
    render_value(&j->r, "residuals", rows);
}

static int render_fit(job *j)
{
    const ph_fit *f = &j->fit;
    rendering *r = &j->r;
    render_item(r, NULL);
    render_data(r, "problem start minima", "%s %g %zu", model_problem(&j->model), j->seen.t[0],
                f->minima);
    render_text(r, "%s, %zu observations, t = %.10g to %.10g\n\n", j->path, j->seen.count,
                j->seen.t[0], j->seen.t[j->seen.count - 1]);
    render_solution(j, f);
    if (f->scale_unseen)
        render_text(r, "scale: a free motion determines only ratios of the moments; the "
                       "largest is 1\n");
    render_value(r, "rivals", json_array());
    for (size_t k = 0; k < f->rivals && k < RIVALS; k++) {
        render_item(r, "rivals");
        render_text(r, "\nrival %zu of %zu: chi2 %.6g\n", k + 1, f->rivals, j->rival[k].chi2);
        render_solution(j, &j->rival[k]);
        render_close(r);
    }
    if (f->rivals > RIVALS)
        render_text(r, "\n%zu more rivals are not listed\n", f->rivals - RIVALS);
    if (r->as == AS_JSON)
        render_residuals(j);
    return render_end(r, true, JSON_INDENT(1));
}

static int fit_observations(job *j)
{
    const double bad = 5.0; /* chi2 per degree of freedom */
    ph_message why = {0};
    TRY(read_request(j));
    j->residuals = memory_new(j->seen.count * ph_fit_width(&j->seen), sizeof *j->residuals);
    TRY(pictures_open(&j->pictures, false));
    if (j->out != NULL)
        TRY(file_open(j->out, &j->rows));
    j->settings.message = &why;
    progress_begin(false);
    const ph_status status = ph_fit_motion(&j->seen, &j->settings, j->residuals, &j->fit);
    progress_end();
    if (interrupted)
        return stopped("interrupted: no result was found so far");
    if (status == PH_NO_MEMORY)
        return fail_memory();
    const char *wrong = why.text[0] != '\0' ? why.text : ph_status_text(status);
    if (status == PH_NO_CONVERGENCE)
        return fail_run(WORDS ": %s", j->path, wrong);
    REFUSE_IF(status != PH_OK, WORDS ": %s", j->path, wrong);
    if (!j->fit.scaled && j->fit.chi2 > bad * (double)j->fit.degrees_of_freedom)
        warn("chi2 is %.3g per degree of freedom: the model does not fit the observations, or "
             "sigma is too small",
             j->fit.chi2 / (double)j->fit.degrees_of_freedom);
    if (j->rows != NULL)
        TRY(write_rows(j));
    TRY(render_fit(j));
    return pictures_draw(&j->pictures, write_script, j);
}

static int fit_run(const arguments *given, outfile *out)
{
    REFUSE_IF(given->operands != 1, "fit needs one file of observations: name it");
    job *j = memory_new(1, sizeof *j);
    *j = (job){.given = given,
               .r = render_begin(given, out),
               .path = given->operand[0],
               .out = argument(given, "--out"),
               .pictures = {.given = given, .option = "--plot"}};
    j->pictures.out = j->out;
    if (j->r.as != AS_JSON)
        j->pictures.told = out;
    return fit_observations(j);
}

const command command_fit = {"fit", fit_help, fit_run};
