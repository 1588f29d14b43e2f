/* glb.c - a run as an animation in binary glTF, which viewers and browsers show.
 *
 * glTF 2.0: a header of 12 bytes, a chunk of JSON, a chunk of binary data (4.4). A body is a
 * box with the moments of inertia that it has, its faces in a colour for each principal axis;
 * a unit vector is a rod from its pivot. Each is a node, moved by samplers of rotations and,
 * where they move, translations (5.5 and following). One second of the animation is one unit of
 * time. glTF's y is up: the scene is turned so that z of space, or what a problem calls up,
 * points there.
 */
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "motion/vec.h"
#include "tool/files/json.h"
#include "tool/files/memory.h"
#include "tool/files/rows.h"

enum {
    WORD = 4,          /* bytes of a number */
    NUMBERS = 7,       /* of a node in a frame: x, y, z, w of its attitude, its place */
    TURN = 4,          /* of these the attitude */
    FACES = 6,         /* of a box */
    CORNERS = 4,       /* of a face */
    FLOAT_TYPE = 5126, /* glTF's constants */
    SHORT_TYPE = 5123,
    VERTEX_BUFFER = 34962,
    INDEX_BUFFER = 34963,
};

/* What moves: nodes with attitudes, and perhaps places. */
typedef struct scene {
    size_t nodes;
    size_t numbers; /* of a node */
    bool moving;    /* the places change */
    bool rods;      /* the nodes are unit vectors */
    double size;    /* of the boxes that are drawn */
    double frame[]; /* the last: its time, from 0 on, as a run may go back, and its nodes */
} scene;

static const ph_array *attitudes(const instant *now)
{
    const ph_array *f = instant_field(now, "attitudes");
    if (f != NULL)
        return f;
    return instant_field(now, "attitude");
}

static const ph_array *vectors(const instant *now)
{
    const ph_array *f = instant_field(now, "q");
    if (f != NULL && f->width == 3)
        return f;
    return NULL;
}

/* The number of a parameter, or what stands for it. */
static double parameter(const record *r, const char *name, double otherwise)
{
    const file_about *about = r->about;
    for (size_t i = 0; i < about->parameters; i++) {
        if (strcmp(about->parameter[i].name, name) == 0)
            return about->value[about->parameter[i].first];
    }
    return otherwise;
}

/* The length of rod i, and what it is that a chain hangs on. */
static double rod_length(const record *r, size_t i)
{
    char name[] = "length1";
    name[sizeof name - 2] = (char)('1' + i % 9);
    return parameter(r, name, parameter(r, "length", 1.0));
}

static bool fits_float(double x)
{
    return fabs(x) <= FLT_MAX;
}

static const char *refuse(const record *r)
{
    const ph_array *f = vectors(&r->first);
    if ((attitudes(&r->first) == NULL && f == NULL) || r->about->method == NULL)
        return "can contain only the motion of bodies or unit vectors: write .csv";
    double whole = 0.0; /* a chain, or a row of needles */
    for (size_t i = 0; f != NULL && i < f->count; i++)
        whole += fabs(rod_length(r, i)) + fabs(parameter(r, "spacing", 0.0));
    if (fits_float(whole))
        return NULL;
    return "can contain only lengths below 3e38: use other units";
}

static const char *refuse_time(const record *r, double first, double before, double t)
{
    (void)r;
    if (!fits_float(t - first))
        return "can contain only times within 3e38 of the first: use other units";
    if (isnan(before))
        return NULL;
    const bool turns = before != first && (t > before) != (before > first);
    if (turns || (float)fabs(t - first) <= (float)fabs(before - first))
        return "needs times that increase in seven digits, counted from the first: sort the "
               "times, or write fewer";
    return NULL;
}

/* How large bodies are drawn beside their positions at the start. */
static double body_size(const instant *first)
{
    const ph_array *f = instant_field(first, "positions");
    double shortest = INFINITY;
    for (size_t i = 1; f != NULL && i < f->count; i++) {
        const double d = norm(sub(field_vector(f, i), field_vector(f, 0)));
        if (d < shortest)
            shortest = d;
    }
    if (isfinite(shortest) && shortest > 0.0)
        return shortest / 3.0;
    return 1.0;
}

/* What the nodes are: rods by their vectors, or bodies by their attitudes. */
static const ph_array *nodes_of(const instant *now, bool rods)
{
    if (rods)
        return vectors(now);
    return attitudes(now);
}

static void begin_glb(record *r)
{
    const bool rods = attitudes(&r->first) == NULL;
    const bool moving = instant_field(&r->first, "positions") != NULL;
    const size_t nodes = nodes_of(&r->first, rods)->count, numbers = moving ? NUMBERS : TURN;
    r->width = 1 + nodes * numbers;
    scene *s = r->own = memory_new(1, sizeof *s + r->width * sizeof *s->frame);
    *s = (scene){nodes, numbers, moving, rods, body_size(&r->first)};
}

/* The attitude of a rod along a unit vector: from the one before, or upright, by the shortest
 * way. */
static ph_quat turn_to(ph_quat before, ph_vec3 u)
{
    ph_quat from = before;
    if (dot4(before, before) == 0.0)
        from = (ph_quat){1.0, 0.0, 0.0, 0.0};
    const ph_vec3 v = rotate(from, vec3(0.0, 0.0, 1.0));
    const double c = 1.0 + dot(v, u);
    ph_quat turn = quat(c, cross(v, u));
    if (!(c > 1e-12)) /* about any axis */
        turn = quat(0.0, rotate(from, vec3(1.0, 0.0, 0.0)));
    return mul(ph_quat_unit(turn), from);
}

static void write_frame(record *r, const instant *now)
{
    scene *s = r->own;
    const ph_array *f = nodes_of(now, s->rods), *places = instant_field(now, "positions");
    /* what a file of 4 GB holds, and half of it for what is not of the frames */
    const size_t numbers = s->rods ? NUMBERS : s->numbers;
    if (r->count >= UINT32_MAX / 2 / (WORD * (1 + s->nodes * numbers))) {
        r->out->error = EFBIG;
        return;
    }
    s->frame[0] = fabs(now->t - r->start);
    for (size_t i = 0; i < s->nodes; i++) {
        double *to = s->frame + 1 + i * s->numbers;
        const ph_quat last = {to[3], to[0], to[1], to[2]};
        ph_quat q;
        if (s->rods)
            q = turn_to(last, field_vector(f, i));
        else
            q = field_quat(f, i);
        ph_vec3 x = {0.0, 0.0, 0.0};
        if (places != NULL)
            x = field_vector(places, i);
        if (!fits_float(norm_max(x))) {
            r->refused = "can contain only positions within 3e38: use other units";
            return;
        }
        if (dot4(q, last) < 0.0)
            q = negate(q);
        q = ph_quat_unit(q);
        memcpy(to, (double[]){q.x, q.y, q.z, q.w, x.x, x.y, x.z}, s->numbers * sizeof *to);
    }
    record_keep(r, s->frame);
}

/* ---- the binary chunk ------------------------------------------------------------ */

typedef struct buffer {
    char *bytes;
    size_t used, room;
    json_t *views, *accessors;
} buffer;

static void put(buffer *b, uint32_t x, size_t n)
{
    if (b->used + n > b->room) {
        b->room = 2 * b->room + 4096;
        b->bytes = memory_more(b->bytes, b->room, 1);
    }
    for (size_t k = 0; k < n; k++)
        b->bytes[b->used++] = (char)(x >> (8 * k) & 0xFF);
}

static void put_float(buffer *b, double x)
{
    const float y = (float)x;
    uint32_t bits;
    memcpy(&bits, &y, sizeof bits);
    put(b, bits, WORD);
}

/* Adds to a list; returns its number. */
static int append(json_t *list, json_t *x)
{
    json_add(list, x);
    return (int)json_array_size(list) - 1;
}

/* A view of what was put since `from`, and an accessor of it; returns its number. */
static int accessor(buffer *b, size_t from, int target, int type, size_t count, const char *shape,
                    json_t *extent)
{
    const int view =
        append(b->views, json_pack("{si sI sI so*}", "buffer", 0, "byteOffset", (json_int_t)from,
                                   "byteLength", (json_int_t)(b->used - from), "target",
                                   target == 0 ? NULL : json_integer(target)));
    json_t *a = json_pack("{si si sI ss}", "bufferView", view, "componentType", type, "count",
                          (json_int_t)count, "type", shape);
    if (extent != NULL)
        (void)json_object_update(a, extent);
    json_decref(extent);
    while (b->used % WORD != 0)
        put(b, 0, 1);
    return append(b->accessors, a);
}

/* The corners of the faces across an axis of a box with these half edges, their normals and
 * triangles: a primitive. */
static json_t *faces(buffer *b, ph_vec3 half, double middle, int axis)
{
    static const int around[CORNERS][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    static const int triangles[FACES] = {0, 1, 2, 0, 2, 3};
    const double h[3] = {half.x, half.y, half.z};
    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
    const double up = (float)(h[2] + middle), down = (float)(middle - h[2]);
    size_t from = b->used;
    for (int side = -1; side <= 1; side += 2) {
        for (int c = 0; c < CORNERS; c++) {
            double x[3];
            x[axis] = side * h[axis];
            x[j] = side * around[c][0] * h[j];
            x[k] = around[c][1] * h[k];
            x[2] += middle;
            for (int n = 0; n < 3; n++)
                put_float(b, x[n]);
        }
    }
    const int position = accessor(b, from, VERTEX_BUFFER, FLOAT_TYPE, (size_t)2 * CORNERS, "VEC3",
                                  json_pack("{s[fff] s[fff]}", "min", (float)-h[0], (float)-h[1],
                                            down, "max", (float)h[0], (float)h[1], up));
    from = b->used;
    for (int side = -1; side <= 1; side += 2) {
        for (int c = 0; c < 3 * CORNERS; c++)
            put_float(b, side * (c % 3 == axis));
    }
    const int normal =
        accessor(b, from, VERTEX_BUFFER, FLOAT_TYPE, (size_t)2 * CORNERS, "VEC3", NULL);
    from = b->used;
    for (uint32_t side = 0; side < 2; side++) {
        for (int c = 0; c < FACES; c++)
            put(b, side * CORNERS + (uint32_t)triangles[c], 2);
    }
    const int indices =
        accessor(b, from, INDEX_BUFFER, SHORT_TYPE, (size_t)2 * FACES, "SCALAR", NULL);
    return json_pack("{s{si si} si si}", "attributes", "POSITION", position, "NORMAL", normal,
                     "indices", indices, "material", axis);
}

/* The root of a number, or of a hundredth if that is larger. */
static double root_of(double square)
{
    const double least = 0.01;
    return sqrt(square > least ? square : least);
}

/* Half the edges of a homogeneous box with these moments, the longest 1: a_1^2 is as
 * J_2 + J_3 - J_1, and no less than a hundredth of the largest. */
static ph_vec3 box_of(ph_vec3 J)
{
    J = scale(1.0 / norm_max(J), J);
    const double sum = J.x + J.y + J.z;
    const ph_vec3 squares = vec3(sum - 2.0 * J.x, sum - 2.0 * J.y, sum - 2.0 * J.z);
    const ph_vec3 a = scale(1.0 / norm_max(squares), squares);
    return vec3(root_of(a.x), root_of(a.y), root_of(a.z));
}

/* ---- meshes and nodes ------------------------------------------------------------ */

static ph_vec3 moments(const record *r, size_t i)
{
    const ph_array *f = instant_field(&r->first, "inertias");
    if (f == NULL)
        f = instant_field(&r->first, "moments");
    if (f == NULL)
        return vec3(1.0, 1.0, 1.0);
    return field_vector(f, i);
}

static json_t *mesh(buffer *b, ph_vec3 half, double middle)
{
    json_t *all = json_array();
    for (int axis = 0; axis < 3; axis++)
        (void)append(all, faces(b, half, middle, axis));
    return json_pack("{so}", "primitives", all);
}

/* The number of a body's node: before it is space, behind it what is drawn of the body. */
static int node_of(size_t body)
{
    return 1 + 2 * (int)body;
}

/* A mesh for each box that differs from the one before, and a node for each body: it moves, and
 * within it the box stands along the principal axes. Returns nodes and meshes. */
static json_t *put_nodes(const record *r, buffer *b, json_t *meshes)
{
    const scene *s = r->own;
    const ph_array *axes = instant_field(&r->first, "axes");
    ph_quat principal = {1.0, 0.0, 0.0, 0.0};
    if (axes != NULL && !s->moving)
        principal = field_quat(axes, 0);
    const double down = parameter(r, "length2", 0.0) != 0.0 ? -1.0 : 1.0;
    const double half_turn = sqrt(0.5), thin = 0.03, spacing = parameter(r, "spacing", 0.0),
                 columns_of = parameter(r, "columns", 1.0);
    json_t *nodes = json_array(), *children = json_array();
    for (size_t i = 0; i < s->nodes; i++)
        (void)append(children, json_integer(node_of(i)));
    /* z of space, or what is up, becomes y */
    (void)append(nodes, json_pack("{ss s[ffff] so}", "name", "space", "rotation", -down * half_turn,
                                  0.0, 0.0, half_turn, "children", children));
    ph_vec3 last = {0.0, 0.0, 0.0};
    int shape = 0;
    for (size_t i = 0; i < s->nodes; i++) {
        const double row = (double)i;
        ph_vec3 half;
        double middle = 0.0;
        json_t *place = NULL;
        if (s->rods) {
            const double length = rod_length(r, i);
            half = vec3(thin * length, thin * length, 0.5 * length);
            middle = 0.5 * length;
        } else {
            half = scale(s->size, box_of(moments(r, i)));
        }
        if (spacing > 0.0) { /* a needle */
            middle = 0.0;
            place = json_pack("[fff]", spacing * fmod(row, columns_of),
                              spacing * floor(row / columns_of), 0.0);
        }
        if (i == 0 || norm_max(sub(half, last)) > 0.0)
            shape = append(meshes, mesh(b, half, middle));
        last = half;
        (void)append(nodes, json_pack("{ss s[i] so*}", "name", "body", "children", node_of(i) + 1,
                                      "translation", place));
        (void)append(nodes, json_pack("{si s[ffff]}", "mesh", shape, "rotation", principal.x,
                                      principal.y, principal.z, principal.w));
    }
    return nodes;
}

/* ---- the animation --------------------------------------------------------------- */

/* Of a node in a frame that is kept. */
static const double *node_at(const record *r, size_t frame, size_t node)
{
    const scene *s = r->own;
    return r->kept + frame * r->width + 1 + node * s->numbers;
}

/* The end of the rod before, where a chain hangs: places of node i over time. */
static ph_vec3 chain_end(const record *r, size_t frame, size_t i)
{
    ph_vec3 end = {0.0, 0.0, 0.0};
    for (size_t k = 0; k < i; k++) {
        const double *x = node_at(r, frame, k);
        const ph_quat q = {(float)x[3], (float)x[0], (float)x[1], (float)x[2]};
        end = add(end, rotate(q, vec3(0.0, 0.0, rod_length(r, k))));
    }
    return end;
}

/* What a node does over time: the numbers since `from`. */
static void put_channel(const record *r, buffer *b, size_t from, json_t *animation, int times,
                        size_t node, const char *path, const char *shape)
{
    const int values = accessor(b, from, 0, FLOAT_TYPE, r->count, shape, NULL),
              sampler = append(json_object_get(animation, "samplers"),
                               json_pack("{si si ss}", "input", times, "output", values,
                                         "interpolation", "LINEAR"));
    (void)append(json_object_get(animation, "channels"),
                 json_pack("{si s{si ss}}", "sampler", sampler, "target", "node", node_of(node),
                           "path", path));
}

static json_t *put_animation(const record *r, buffer *b)
{
    const scene *s = r->own;
    json_t *animation = json_pack("{s[] s[]}", "samplers", "channels");
    const bool chain = s->rods && s->nodes > 1 && parameter(r, "length2", 0.0) != 0.0;
    size_t from = b->used;
    for (size_t f = 0; f < r->count; f++)
        put_float(b, r->kept[f * r->width]);
    const int times = accessor(
        b, from, 0, FLOAT_TYPE, r->count, "SCALAR",
        json_pack("{s[f] s[f]}", "min", 0.0, "max", (float)r->kept[(r->count - 1) * r->width]));
    for (size_t i = 0; i < s->nodes; i++) {
        from = b->used;
        for (size_t f = 0; f < r->count; f++) {
            for (int k = 0; k < TURN; k++)
                put_float(b, node_at(r, f, i)[k]);
        }
        put_channel(r, b, from, animation, times, i, "rotation", "VEC4");
        if (!s->moving && !(chain && i > 0))
            continue;
        from = b->used;
        for (size_t f = 0; f < r->count; f++) {
            const double *x = node_at(r, f, i) + TURN;
            ph_vec3 end;
            if (s->moving)
                end = vec3(x[0], x[1], x[2]);
            else
                end = chain_end(r, f, i);
            put_float(b, end.x);
            put_float(b, end.y);
            put_float(b, end.z);
        }
        put_channel(r, b, from, animation, times, i, "translation", "VEC3");
    }
    return animation;
}

/* A colour for each principal axis, as in the pictures. */
static json_t *materials(void)
{
    static const double colour[3][3] = {
        {0.0, 0.168, 0.445}, {0.665, 0.112, 0.0}, {0.0, 0.342, 0.171}};
    json_t *all = json_array();
    for (int k = 0; k < 3; k++) {
        const char name[] = {'a', 'x', 'i', 's', ' ', (char)('1' + k), '\0'};
        (void)append(all, json_pack("{ss s{s[ffff] sf sf}}", "name", name, "pbrMetallicRoughness",
                                    "baseColorFactor", colour[k][0], colour[k][1], colour[k][2],
                                    1.0, "metallicFactor", 0.0, "roughnessFactor", 0.7));
    }
    return all;
}

/* ---- the file -------------------------------------------------------------------- */

static void write_chunks(outfile *out, const char *text, const char *bytes, size_t size)
{
    enum { HEADER = 12, CHUNK = 8 };
    const uint32_t glTF = 0x46546C67, version = 2, JSON = 0x4E4F534A, BIN = 0x004E4942;
    const size_t length = strlen(text), padded = (length + WORD - 1) / WORD * WORD;
    const uint32_t words[] = {glTF,
                              version,
                              (uint32_t)(HEADER + 2 * CHUNK + padded + size),
                              (uint32_t)padded,
                              JSON,
                              (uint32_t)size,
                              BIN};
    char head[sizeof words];
    for (size_t i = 0; i < sizeof head; i++)
        head[i] = (char)(words[i / WORD] >> (8 * (i % WORD)) & 0xFF);
    outfile_write(out, head, HEADER + CHUNK);
    outfile_write(out, text, length);
    outfile_write(out, "   ", padded - length);
    outfile_write(out, head + HEADER + CHUNK, CHUNK);
    outfile_write(out, bytes, size);
}

static void end(record *r)
{
    if (r->count == 0)
        return;
    buffer b = {.views = json_array(), .accessors = json_array()};
    json_t *meshes = json_array(), *nodes = put_nodes(r, &b, meshes),
           *animation = put_animation(r, &b);
    json_t *all = json_pack(
        "{s{ss ss so} si s[{s[i]}] so so so s[o] so so s[{sI}]}", "asset", "version", "2.0",
        "generator", "polhode", "extras", about_json(r), "scene", 0, "scenes", "nodes", 0, "nodes",
        nodes, "meshes", meshes, "materials", materials(), "animations", animation, "accessors",
        b.accessors, "bufferViews", b.views, "buffers", "byteLength", (json_int_t)b.used);
    char *text = json_dumps(all, JSON_COMPACT | JSON_REAL_PRECISION(9));
    json_decref(all);
    if (b.used >= UINT32_MAX / 2)
        r->out->error = EFBIG;
    else
        write_chunks(r->out, text, b.bytes, b.used);
    free(text);
}

const file_format format_glb = {
    .suffix = "glb",
    .text = "a glTF animation",
    .needs_file = true,
    .at_end = true,
    .refuse = refuse,
    .refuse_time = refuse_time,
    .begin = begin_glb,
    .frame = write_frame,
    .end = end,
};
