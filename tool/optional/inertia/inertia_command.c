/* inertia_command.c - mass properties of a body by its surface, a mesh of triangles.
 *
 * Volume integrals of polynomials are sums over the tetrahedra of the origin and a triangle
 * (a, b, c), D = a . (b x c):
 *
 *     volume D/6,   integral of x: D (a + b + c)/24,
 *     integral of x_i x_j: D ((a+b+c)_i (a+b+c)_j + a_i a_j + b_i b_j + c_i c_j)/120.
 *
 * The origin is the mean of the vertices, next to which nothing cancels.
 *
 * Each edge of a closed surface that is oriented all over is passed once each way. Shells are parts of
 * the surface without a common edge. The winding number of a surface is 1 inside and 0 outside, so that
 * nothing counts twice or less than nothing: next to a shell it is that of the other shells on the one
 * side, and 1 more or less on the other.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/choice.h"
#include "inertia.help.h"
#include "mesh.h"
#include "motion/vec.h"
#include "tool/base/rendering.h"
#include "tool/base/tool.h"
#include "tool/files/memory.h"

/* ---- STL and OBJ ------------------------------------------------------------------- */

/* Reads three numbers; moves past them. */
static bool read_vector(const char **text, ph_vec3 *v)
{
    return number_read(text, &v->x) == NUMBER_OK && number_read(text, &v->y) == NUMBER_OK &&
           number_read(text, &v->z) == NUMBER_OK;
}

static int read_stl(mesh *m, const char *bytes, size_t length)
{
    enum { HEAD = 84, FACE = 50, NORMAL = 12 };
    size_t count = 0;
    if (length >= HEAD)
        count = read_u32(bytes + 80);
    const bool binary =
        length >= HEAD && (length - HEAD) / FACE == count && (length - HEAD) % FACE == 0;
    const char *text = text_without_mark(bytes);
    REFUSE_IF(!binary && strncmp(text, "solid", 5) != 0,
              WORDS " is not an STL file: export it again", m->path);
    for (size_t i = 0; binary && i < 3 * count; i++)
        add_vertex(m, read_floats(bytes + HEAD + i / 3 * FACE + NORMAL * (1 + i % 3)));
    const char *at = strchr(text, '\n');
    while (!binary && at != NULL && (at = strstr(at, "vertex")) != NULL) {
        ph_vec3 v;
        at += strlen("vertex");
        REFUSE_IF(!read_vector(&at, &v), WORDS ": a vertex needs three numbers: correct it",
                  m->path);
        add_vertex(m, v);
    }
    REFUSE_IF(m->vertices % 3 != 0, WORDS ": a facet needs three vertices: correct it", m->path);
    for (size_t i = 0; i + 2 < m->vertices; i += 3)
        add_face(m, i, i + 1, i + 2);
    return 0;
}

/* The vertices of a face, "1/2/3 4//5 -1", as triangles from the first; false: not such. */
static bool read_polygon(mesh *m, const char *at)
{
    size_t corner[3] = {0}, count = 0;
    for (at += strspn(at, " \t\r"); *at != '\0' && *at != '\n'; at += strspn(at, " \t\r")) {
        char *end;
        const long long given = strtoll(at, &end, 10);
        const long long index = given < 0 ? given + (long long)m->vertices : given - 1;
        if (end == at || given == 0 || index < 0 || (size_t)index >= m->vertices)
            return false;
        corner[smaller_size(count, 2)] = (size_t)index;
        if (++count > 2) {
            add_face(m, corner[0], corner[1], corner[2]);
            corner[1] = corner[2];
        }
        at = end + strcspn(end, " \t\r\n");
    }
    return count > 2;
}

static int read_obj(mesh *m, char *text)
{
    size_t number = 0;
    for (char *c = strstr(text, "\\\n"); c != NULL; c = strstr(c, "\\\n"))
        c[0] = c[1] = ' '; /* a line that goes on */
    for (const char *at = text_without_mark(text); at != NULL; at = strchr(at, '\n')) {
        ph_vec3 v;
        if (interrupted)
            return stopped("interrupted: no result was found so far");
        at += *at == '\n';
        number++;
        at += strspn(at, " \t");
        const bool space = at[0] != '\0' && (at[1] == ' ' || at[1] == '\t');
        const char *after = at + 1;
        if (space && *at == 'v') {
            REFUSE_IF(!read_vector(&after, &v),
                      WORDS ":%zu: a vertex needs three numbers: correct it", m->path, number);
            add_vertex(m, v);
        } else if (space && *at == 'f') {
            REFUSE_IF(!read_polygon(m, after),
                      WORDS ":%zu: a face needs three vertices defined before it: correct it",
                      m->path, number);
        }
    }
    return 0;
}

/* The order of two numbers, as qsort() wants it. */
static int order_of(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

/* ---- a closed surface -------------------------------------------------------------- */

typedef struct place {
    ph_vec3 at;
    size_t index;
} place;

static int by_place(const void *one, const void *other)
{
    const ph_vec3 a = ((const place *)one)->at, b = ((const place *)other)->at;
    const double d[] = {a.x - b.x, a.y - b.y, a.z - b.z};
    for (size_t k = 0; k < COUNT(d); k++)
        if (d[k] != 0.0)
            return d[k] < 0.0 ? -1 : 1;
    return 0;
}

typedef struct edge {
    size_t low, high;
    ptrdiff_t way; /* 1: from the low to the high end */
    size_t face;
} edge;

static int by_ends(const void *one, const void *other)
{
    const edge *a = one, *b = other;
    if (a->low != b->low)
        return order_of(a->low, b->low);
    return order_of(a->high, b->high);
}

/* Vertices in one place become one: names[i] of each. */
static size_t *welded(const mesh *m)
{
    place *all = memory_new(m->vertices, sizeof *all);
    size_t *names = memory_new(m->vertices, sizeof *names);
    for (size_t i = 0; i < m->vertices; i++)
        all[i] = (place){m->vertex[i], i};
    qsort(all, m->vertices, sizeof *all, by_place);
    for (size_t i = 0; i < m->vertices; i++) {
        if (i > 0 && by_place(&all[i - 1], &all[i]) == 0)
            names[all[i].index] = names[all[i - 1].index];
        else
            names[all[i].index] = all[i].index;
    }
    return names;
}

/* Whether a face is a triangle, of vertices in three places. */
static bool is_triangle(const mesh *m, const size_t *name, size_t face)
{
    const size_t a = name[m->face[face][0]], b = name[m->face[face][1]], c = name[m->face[face][2]];
    return a != b && b != c && c != a;
}

/* The face that stands for all of its shell. */
static size_t root_of(size_t *parent, size_t i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

/* Refuses what is no closed surface; sets the parents of faces that have an edge in common. */
static int refuse_open(const mesh *m, const size_t *name, size_t *parent)
{
    edge *all = memory_new(3 * m->faces, sizeof *all);
    size_t count = 0, open = 0, twisted = 0, crowded = 0;
    for (size_t i = 0; i < 3 * m->faces; i++) {
        const size_t a = name[m->face[i / 3][i % 3]], b = name[m->face[i / 3][(i + 1) % 3]];
        parent[i / 3] = i / 3;
        if (is_triangle(m, name, i / 3))
            all[count++] = (edge){smaller_size(a, b), larger_size(a, b), order_of(b, a), i / 3};
    }
    qsort(all, count, sizeof *all, by_ends);
    for (size_t i = 0, end; i < count; i = end) {
        ptrdiff_t sum = 0;
        for (end = i; end < count && by_ends(&all[i], &all[end]) == 0; end++) {
            sum += all[end].way;
            parent[root_of(parent, all[end].face)] = root_of(parent, all[i].face);
        }
        open += end - i == 1;
        twisted += sum != 0;
        crowded += end - i > 2;
    }
    REFUSE_IF(open > 0, WORDS ": the surface is open at %zu edges: close it", m->path, open);
    REFUSE_IF(crowded > 0,
              WORDS ": %zu edges belong to more than two faces: remove faces that occur "
                    "twice, and those within the body",
              m->path, crowded);
    REFUSE_IF(twisted > 0,
              WORDS ": the faces at %zu edges have opposite orientations: reverse some", m->path,
              twisted);
    return 0;
}

/* ---- shells ------------------------------------------------------------------------ */

typedef struct shell {
    size_t first, end; /* its faces in their order by shells */
    ph_vec3 low, high; /* a box around it */
    double volume;     /* with the sign of its orientation */
} shell;

typedef struct member {
    size_t root, face;
} member;

static int by_root(const void *one, const void *other)
{
    const member *a = one, *b = other;
    if (a->root != b->root)
        return order_of(a->root, b->root);
    return order_of(a->face, b->face);
}

/* The part of a full turn that a face fills as seen from a point; its sign is that of the orientation:
 * A. van Oosterom, J. Strackee, IEEE Trans. Biomed. Eng. 30 (1983) 125. */
static double part_of_view(const mesh *m, size_t face, ph_vec3 from)
{
    ph_vec3 p[3];
    double r[3];
    for (int k = 0; k < 3; k++) {
        p[k] = sub(m->vertex[m->face[face][k]], from);
        r[k] = norm(p[k]);
    }
    return atan2(dot(p[0], cross(p[1], p[2])), r[0] * r[1] * r[2] + dot(p[0], p[1]) * r[2] +
                                                   dot(p[1], p[2]) * r[0] +
                                                   dot(p[2], p[0]) * r[1]) /
           (2.0 * PH_PI);
}

static bool is_within(const shell *s, ph_vec3 p)
{
    return p.x >= s->low.x && p.x <= s->high.x && p.y >= s->low.y && p.y <= s->high.y &&
           p.z >= s->low.z && p.z <= s->high.z;
}

/* Collects a shell from its faces. */
static shell shell_of(const mesh *m, const member *all, size_t first, size_t end)
{
    const ph_vec3 start = m->vertex[m->face[all[first].face][0]];
    shell s = {first, end, start, start, 0.0};
    for (size_t i = first; i < end; i++) {
        ph_vec3 p[3];
        for (int k = 0; k < 3; k++) {
            const ph_vec3 v = m->vertex[m->face[all[i].face][k]];
            p[k] = sub(v, start);
            s.low = vec3(smaller_or_nan(s.low.x, v.x), smaller_or_nan(s.low.y, v.y),
                         smaller_or_nan(s.low.z, v.z));
            s.high = vec3(larger_or_nan(s.high.x, v.x), larger_or_nan(s.high.y, v.y),
                          larger_or_nan(s.high.z, v.z));
        }
        s.volume += dot(p[0], cross(p[1], p[2]));
    }
    return s;
}

/* Refuses a shell that counts twice, or less than nothing: one inside another must be a hollow, and a
 * hollow inside another. */
static int refuse_nested(const mesh *m, const size_t *name, size_t *parent)
{
    member *all = memory_new(m->faces, sizeof *all);
    shell *list = NULL;
    size_t count = 0, shells = 0;
    double volume = 0.0;
    for (size_t i = 0; i < m->faces; i++) {
        if (is_triangle(m, name, i))
            all[count++] = (member){root_of(parent, i), i};
    }
    qsort(all, count, sizeof *all, by_root);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && all[end].root == all[i].root;)
            end++;
        if (is_full(shells))
            list = memory_more(list, 2 * shells + 1, sizeof *list);
        list[shells] = shell_of(m, all, i, end);
        volume += list[shells++].volume;
    }
    for (size_t i = 0; i < shells; i++) {
        const size_t *face = m->face[all[list[i].first].face];
        const ph_vec3 p =
            scale(1.0 / 3.0, add(add(m->vertex[face[0]], m->vertex[face[1]]), m->vertex[face[2]]));
        double around = 0.0;
        if (interrupted)
            return stopped("interrupted: no result was found so far");
        for (size_t k = 0; k < shells; k++) {
            const bool near = k != i && is_within(&list[k], p);
            for (size_t n = list[k].first; n < list[k].end && near; n++)
                around += part_of_view(m, all[n].face, p);
        }
        const bool hollow = list[i].volume * volume<0.0, inside = fabs(around)> 0.5;
        REFUSE_IF(hollow != inside,
                  WORDS ": the part of the surface near %.6g,%.6g,%.6g is %s: reverse or remove it",
                  m->path, p.x, p.y, p.z,
                  inside ? "inside another part, but oriented like a solid"
                         : "inside out, but not a cavity in another part");
    }
    return 0;
}

/* ---- integrals --------------------------------------------------------------------- */

typedef struct solid {
    double volume;
    ph_vec3 centre;
    double tensor[3][3]; /* about the centre, of density 1 */
} solid;

/* What the surface encloses; all 0 if that is nothing but round-off. */
static solid integrate(const mesh *m)
{
    solid s = {0};
    ph_vec3 origin = {0}, first = {0};
    double second[3][3] = {{0}}, trace = 0.0, sizes = 0.0;
    for (size_t i = 0; i < m->vertices; i++)
        origin = add(origin, scale(1.0 / (double)m->vertices, m->vertex[i]));
    for (size_t i = 0; i < m->faces; i++) {
        ph_vec3 p[4]; /* and their sum */
        for (int k = 0; k < 3; k++)
            p[k] = sub(m->vertex[m->face[i][k]], origin);
        p[3] = add(add(p[0], p[1]), p[2]);
        const double D = dot(p[0], cross(p[1], p[2]));
        s.volume += D / 6.0;
        sizes += fabs(D) / 6.0;
        first = add(first, scale(D / 24.0, p[3]));
        for (int k = 0; k < 4; k++) {
            const double x[] = {p[k].x, p[k].y, p[k].z};
            for (int n = 0; n < 9; n++)
                second[n / 3][n % 3] += D / 120.0 * x[n / 3] * x[n % 3];
        }
    }
    const double round_off = 1e-12;
    if (!(fabs(s.volume) > round_off * sizes))
        return (solid){0};
    const ph_vec3 c = scale(1.0 / s.volume, first);
    const double x[] = {c.x, c.y, c.z}, sign = sign_of(s.volume);
    for (int n = 0; n < 9; n++) { /* inside out: all have the other sign */
        second[n / 3][n % 3] = sign * (second[n / 3][n % 3] - s.volume * x[n / 3] * x[n % 3]);
        if (n % 4 == 0)
            trace += second[n / 3][n % 3];
    }
    for (int n = 0; n < 9; n++)
        s.tensor[n / 3][n % 3] = (n % 4 == 0 ? trace : 0.0) - second[n / 3][n % 3];
    s.volume *= sign;
    s.centre = add(origin, c);
    return s;
}

/* Moments in ascending order, and their axes, right-handed. */
static void principal(const ph_body *b, double moment[3], ph_vec3 axis[3])
{
    const double J[] = {b->J.x, b->J.y, b->J.z};
    int order[] = {0, 1, 2};
    for (int pass = 0; pass < 3; pass++)
        for (int k = 0; k < 2; k++)
            if (J[order[k]] > J[order[k + 1]]) {
                const int swap = order[k];
                order[k] = order[k + 1];
                order[k + 1] = swap;
            }
    for (int k = 0; k < 3; k++) {
        moment[k] = J[order[k]];
        axis[k] = rotate(b->axes, vec3(order[k] == 0, order[k] == 1, order[k] == 2));
    }
    axis[2] = cross(axis[0], axis[1]);
}

/* ---- the command ------------------------------------------------------------------- */

static int render_solid(rendering *r, const solid *s, double density)
{
    enum { WIDTH = 8, DIGITS = 10 };
    static const int element[][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    const double mass = density * s->volume;
    ph_mat3 J;
    ph_body body;
    double tensor[6], moment[3];
    ph_vec3 axis[3];
    for (int n = 0; n < 9; n++)
        J.a[n / 3][n % 3] = density * s->tensor[n / 3][n % 3];
    REFUSE_IF(ph_body_from_tensor(&body, J) != PH_OK,
              "the shape encloses no volume, or is too flat or too large: use another shape");
    principal(&body, moment, axis);
    for (size_t k = 0; k < COUNT(element); k++)
        tensor[k] = J.a[element[k][0]][element[k][1]];
    json_t *axes = json_array();
    render_item(r, NULL);
    render_numbers(r, "mass", "mass", WIDTH, DIGITS, &mass, 1);
    render_numbers(r, "volume", "volume", WIDTH, DIGITS, &s->volume, 1);
    render_numbers(r, "centre", "centre", WIDTH, DIGITS, &s->centre.x, 3);
    render_numbers(r, "tensor", "tensor", WIDTH, DIGITS, tensor, 6);
    render_numbers(r, "moments", "moments", WIDTH, DIGITS, moment, 3);
    for (int k = 0; k < 3; k++) {
        render_numbers(r, NULL, memory_text("axis %d", k + 1), WIDTH, DIGITS, &axis[k].x, 3);
        json_add(axes, json_numbers(&axis[k].x, 3, 1));
    }
    render_value(r, "axes", axes);
    return render_end(r, true, JSON_INDENT(2));
}

static int read_faces(mesh *m)
{
    const char *point = strrchr(m->path, '.'), *why = "";
    const char *end = "";
    if (point != NULL)
        end = point + 1;
    const bool stl = strcmp(end, "stl") == 0 || strcmp(end, "STL") == 0,
               obj = strcmp(end, "obj") == 0 || strcmp(end, "OBJ") == 0;
    REFUSE_IF(!stl && !obj && strcmp(end, "glb") != 0,
              WORDS ": the suffix is not that of a mesh: name a .stl, .obj or .glb file", m->path);
    size_t length;
    char *bytes = file_whole(m->path, MESH_BYTES, &length, &why);
    REFUSE_IF(bytes == NULL, WORDS " cannot be read (%s): name another file", m->path, why);
    if (stl)
        return read_stl(m, bytes, length);
    if (obj)
        return read_obj(m, bytes);
    return mesh_read_gltf(m, bytes, length);
}

static int read_mesh(mesh *m)
{
    TRY(read_faces(m));
    REFUSE_IF(m->faces == 0, WORDS " has no faces: export it again", m->path);
    for (size_t i = 0; i < m->vertices; i++)
        REFUSE_IF(!isfinite(dot(m->vertex[i], m->vertex[i])),
                  WORDS ": a vertex is not finite: correct it", m->path);
    const size_t *name = welded(m);
    size_t *parent = memory_new(m->faces, sizeof *parent);
    TRY(refuse_open(m, name, parent));
    return refuse_nested(m, name, parent);
}

static int inertia_run(const arguments *given, outfile *out)
{
    mesh m = {0};
    double density = 1.0, mass = 1.0;
    REFUSE_IF(given->operands != 1, "inertia needs one file: name it");
    TRY(refuse_both(given, "--density", "--mass"));
    const bool by_mass = argument(given, "--mass") != NULL;
    if (argument(given, "--density") != NULL)
        TRY(argument_numbers(given, "--density", 1, &density));
    if (by_mass)
        TRY(argument_numbers(given, "--mass", 1, &mass));
    REFUSE_IF(!(density > 0.0 && mass > 0.0), "%s must be positive: write a positive number",
              by_mass ? "--mass" : "--density");
    m.path = given->operand[0];
    TRY(read_mesh(&m));
    const solid s = integrate(&m);
    rendering r = render_begin(given, out);
    if (by_mass)
        density = mass / s.volume;
    return render_solid(&r, &s, density);
}

const command command_inertia = {"inertia", inertia_help, inertia_run};
