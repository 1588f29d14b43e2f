/* figure.c - the work of a figure: how much, how far, and where its random numbers
 * begin. */
#include "evidence/figure.h"

#include "core/random.h"

const char *figure_effort_text(figure_effort effort)
{
    static const char *const texts[] = {"touch", "quick", "full"};
    return texts[effort];
}

double by_effort(const figure_work *work, double touch, double quick, double full)
{
    return work->effort == FIGURE_FULL    ? full
           : work->effort == FIGURE_QUICK ? quick
                                          : touch;
}

bool go_on(figure_work *work, double fraction)
{
    return work->report == NULL || work->report(work->context, fraction);
}

uint64_t figure_seed(const char *name)
{
    uint64_t seed = 1; /* of all figures */
    for (; *name != '\0'; name++) {
        seed ^= (unsigned char)*name;
        seed = random_bits(&seed);
    }
    return seed;
}

bool figure_has_picture(const ph_figure *f)
{
    return f->panels > 0 || f->draw != NULL;
}
