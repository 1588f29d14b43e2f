/* atoms.c - the atoms of molecules, from the fields of their bodies. */
#include "atoms.h"

#include <math.h>

#include "base/text.h"

/* A site's name by its atomic number and by how many of that number precede it. */
static const struct {
    int number;
    const char *element, *names[3];
} ELEMENTS[] = {
    {8, "O", {"O", "O2", "O3"}},
    {1, "H", {"H1", "H2", "H3"}},
    {0, "X", {"M", "M2", "M3"}},
    {2, "He", {"He"}},
    {6, "C", {"C1", "C2", "C3"}},
    {7, "N", {"N1", "N2", "N3"}},
    {9, "F", {"F1", "F2", "F3"}},
    {14, "Si", {"Si"}},
    {15, "P", {"P"}},
    {16, "S", {"S"}},
    {17, "Cl", {"Cl1", "Cl2", "Cl3"}},
    {35, "Br", {"Br1", "Br2", "Br3"}},
    {53, "I", {"I1", "I2", "I3"}},
};

const char *atoms_refuse(const record *r)
{
    if (atoms_count(&r->first) > 0)
        return NULL;
    return "can contain only atoms of molecules such as water: end the name in .csv or .npy";
}

size_t atoms_count(const instant *now)
{
    const ph_array *sites = instant_field(now, "atoms"), *x = instant_field(now, "positions");
    if (sites == NULL || x == NULL)
        return 0;
    return sites->count * x->count;
}

const char *atoms_residue(const instant *now, const char *water)
{
    static const double numbers[] = {8.0, 1.0, 1.0};
    const ph_array *f = instant_field(now, "atomic_numbers");
    bool same = f->count >= COUNT(numbers);
    for (size_t i = 0; same && i < f->count; i++)
        same = f->data[0][i * f->stride] == (i < COUNT(numbers) ? numbers[i] : 0.0);
    return same ? water : "MOL";
}

static ph_vec3 vector_of(const ph_array *f, size_t i, int first)
{
    const size_t at = i * f->stride;
    return vec3(f->data[first][at], f->data[first + 1][at], f->data[first + 2][at]);
}

static void name_atom(const ph_array *numbers, size_t site, atom *out)
{
    const int number = (int)numbers->data[0][site * numbers->stride];
    size_t before = 0;
    for (size_t i = 0; i < site; i++)
        before += (int)numbers->data[0][i * numbers->stride] == number;
    out->element = out->name = "X";
    for (size_t i = 0; i < COUNT(ELEMENTS); i++) {
        if (ELEMENTS[i].number != number)
            continue;
        out->element = out->name = ELEMENTS[i].element;
        if (before < COUNT(ELEMENTS[i].names))
            out->name = text_or(ELEMENTS[i].names[before], out->element);
    }
}

atom atoms_at(const instant *now, size_t i, bool wrapped)
{
    const ph_array *sites = instant_field(now, "atoms");
    const size_t site = i % sites->count, body = i / sites->count;
    const ph_array *attitudes = instant_field(now, "attitudes"),
                   *masses = instant_field(now, "masses"), *box = instant_field(now, "box");
    const ph_vec3 r = vector_of(sites, site, 1),
                  p = vector_of(instant_field(now, "momenta"), body, 0),
                  m = vector_of(instant_field(now, "angular_momenta"), body, 0),
                  J = vector_of(instant_field(now, "inertias"), body, 0);
    const ph_quat q = {
        attitudes->data[0][body * attitudes->stride], attitudes->data[1][body * attitudes->stride],
        attitudes->data[2][body * attitudes->stride], attitudes->data[3][body * attitudes->stride]};
    ph_vec3 centre = vector_of(instant_field(now, "positions"), body, 0);
    const ph_vec3 edges = vector_of(box, 0, 0);
    if (wrapped && edges.x > 0.0)
        centre = vec3(centre.x - edges.x * floor(centre.x / edges.x),
                      centre.y - edges.y * floor(centre.y / edges.y),
                      centre.z - edges.z * floor(centre.z / edges.z));
    const double mass = masses->data[0][body * masses->stride];
    atom out = {.molecule = body,
                .mass = sites->data[0][site * sites->stride],
                .at = add(centre, rotate(q, r)),
                .velocity = add(scale(1.0 / mass, p), rotate(q, cross(over(m, J), r)))};
    name_atom(instant_field(now, "atomic_numbers"), site, &out);
    return out;
}
