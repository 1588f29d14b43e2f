#include "support/chosen_isa.h"

#include "base/isa.h"
#include "motion/batch/part.h"

static isa chosen;

isa __wrap_ph_isa(void);
isa __real_ph_isa(void);

isa __wrap_ph_isa(void)
{
    return chosen;
}

int isa_all(void)
{
    return (int)__real_ph_isa() + 1;
}

int isa_count(const ph_flow *flow)
{
    return ph_flow_kernel(flow) != NULL ? isa_all() : 1;
}

void choose_isa(int set)
{
    chosen = (isa)set;
}

const char *isa_name(int set)
{
    static const char *const names[] = {"baseline", "avx2", "avx512"};
    return names[set];
}
