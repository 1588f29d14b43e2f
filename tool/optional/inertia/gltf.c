/* gltf.c - the triangles of a binary glTF file, in their places.
 *
 * Khronos Group, glTF 2.0 (https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html). Read are the nodes of
 * the default scene (3.5), with their matrices, or translations, rotations and scales, and the
 * primitives of their meshes (3.7.2), which have to be triangles of plain floats. What could place
 * a vertex elsewhere and is not read - skins, weights of morph targets, sparse accessors,
 * instances, required extensions - is refused, so that no other body is measured. So is what the
 * specification does not allow: a node with two parents, indices that are no whole numbers.
 */
#include <math.h>
#include <stdlib.h>

#include "mesh.h"
#include "tool/base/tool.h"
#include "tool/files/columns.h"
#include "tool/files/json.h"

/* Types of components (3.6.2.2), and the mode of triangles (3.7.2.1). */
enum { UNSIGNED_BYTE = 5121, UNSIGNED_SHORT = 5123, UNSIGNED_INT = 5125, FLOAT = 5126 };
enum { TRIANGLES = 4 };

#define ABSENT SIZE_MAX /* an index that is not there */

typedef struct gltf {
    mesh *m;
    json_t *json;
    const char *bytes; /* of the buffer */
    size_t length;
    bool *visited; /* which nodes were */
    size_t nodes;
} gltf;

typedef double matrix[4][4]; /* columns, as glTF has them */

static int fail_gltf(const gltf *g, const char *wrong)
{
    return fail_usage(WORDS ": %s: export it again", g->m->path, wrong);
}

/* ---- JSON -------------------------------------------------------------------------- */

/* Reads a whole number from 0, also one that is written as 2.0. */
static bool whole_number(const json_t *x, size_t *to)
{
    static const double most = 0x1p53;
    const double value = json_number_value(x);
    if (!json_is_number(x) || !(value >= 0.0 && value < most) || value != floor(value))
        return false;
    *to = (size_t)value;
    return true;
}

/* Reads a member of an object; one that is absent is `otherwise`. False: it is no whole number. */
static bool whole_in(const json_t *object, const char *key, size_t otherwise, size_t *to)
{
    const json_t *x = json_object_get(object, key);
    *to = otherwise;
    return x == NULL || whole_number(x, to);
}

/* Reads a list of so many numbers. False: it is something else. */
static bool numbers_of(const json_t *list, size_t count, double *x)
{
    if (json_array_size(list) != count)
        return false;
    for (size_t k = 0; k < count; k++) {
        const json_t *number = json_array_get(list, k);
        if (!json_is_number(number))
            return false;
        x[k] = json_number_value(number);
    }
    return true;
}

/* The element of a list of the document, or NULL. */
static json_t *entry(const gltf *g, const char *list, size_t index)
{
    return json_array_get(json_object_get(g->json, list), index);
}

static bool text_is(const json_t *object, const char *key, const char *text)
{
    const char *value = json_string_value(json_object_get(object, key));
    return value != NULL && strcmp(value, text) == 0;
}

/* ---- accessors --------------------------------------------------------------------- */

/* The elements of an accessor: so far apart. */
typedef struct elements {
    const char *at;
    size_t count, stride;
} elements;

/* Finds the elements of an accessor, `size` bytes each. False: it has none, or they are not in the
 * buffer. */
static bool find_elements(const gltf *g, const json_t *accessor, size_t size, elements *e)
{
    size_t view, buffer, from, more, length;
    if (!whole_in(accessor, "bufferView", ABSENT, &view) ||
        json_object_get(accessor, "sparse") != NULL)
        return false;
    const json_t *v = entry(g, "bufferViews", view);
    if (!whole_in(v, "buffer", ABSENT, &buffer) || buffer != 0 ||
        !whole_in(v, "byteOffset", 0, &from) || !whole_in(v, "byteLength", 0, &length) ||
        !whole_in(v, "byteStride", size, &e->stride) ||
        !whole_in(accessor, "byteOffset", 0, &more) || !whole_in(accessor, "count", 0, &e->count))
        return false;
    const double end = (double)more + (double)(e->count - 1) * (double)e->stride + (double)size;
    if (e->count == 0 || e->stride < size || end > (double)length || from > g->length ||
        length > g->length - from)
        return false;
    e->at = g->bytes + from + more;
    return true;
}

/* The entry of a list whose index stands under a key; NULL if there is none. */
static const json_t *entry_under(const gltf *g, const json_t *from, const char *key,
                                 size_t otherwise, const char *list)
{
    size_t index;
    if (!whole_in(from, key, otherwise, &index))
        return NULL;
    return entry(g, list, index);
}

/* ---- primitives -------------------------------------------------------------------- */

static int add_vertices(const gltf *g, const json_t *primitive, const matrix to, size_t *count)
{
    size_t type;
    elements e;
    const json_t *accessor =
        entry_under(g, json_object_get(primitive, "attributes"), "POSITION", ABSENT, "accessors");
    if (!whole_in(accessor, "componentType", 0, &type) || type != FLOAT ||
        !text_is(accessor, "type", "VEC3") || !find_elements(g, accessor, 3 * sizeof(float), &e))
        return fail_gltf(g, "there are no triangles of plain floats");
    if (e.count > MESH_VERTICES - g->m->vertices)
        return fail_gltf(g, "the scene repeats its meshes too often");
    for (size_t i = 0; i < e.count; i++) {
        const ph_vec3 v = read_floats(e.at + i * e.stride);
        const double(*c)[4] = to;
        add_vertex(g->m, vec3(c[0][0] * v.x + c[1][0] * v.y + c[2][0] * v.z + c[3][0],
                              c[0][1] * v.x + c[1][1] * v.y + c[2][1] * v.z + c[3][1],
                              c[0][2] * v.x + c[1][2] * v.y + c[2][2] * v.z + c[3][2]));
    }
    *count = e.count;
    return 0;
}

/* Finds the indices of a primitive, of so many bytes each; e->at is NULL if it has none, and the vertices
 * follow each other. */
static bool find_indices(const gltf *g, const json_t *primitive, size_t vertices, elements *e,
                         size_t *size)
{
    size_t type;
    *e = (elements){NULL, vertices, 0};
    if (json_object_get(primitive, "indices") == NULL)
        return true;
    const json_t *accessor = entry_under(g, primitive, "indices", ABSENT, "accessors");
    if (!whole_in(accessor, "componentType", 0, &type) || !text_is(accessor, "type", "SCALAR"))
        return false;
    if (type == UNSIGNED_BYTE)
        *size = 1;
    else if (type == UNSIGNED_SHORT)
        *size = 2;
    else if (type == UNSIGNED_INT)
        *size = 4;
    else
        return false;
    return find_elements(g, accessor, *size, e);
}

/* Adds the triangles of vertices that begin at `first`; `mirrored` ones turn round. */
static int add_faces(const gltf *g, const json_t *primitive, size_t first, size_t vertices,
                     bool mirrored)
{
    elements e;
    size_t size = 0, corner[3] = {0};
    if (!find_indices(g, primitive, vertices, &e, &size))
        return fail_gltf(g, "the indices of a primitive are missing, or no whole numbers");
    if (e.count % 3 != 0)
        return fail_gltf(g, "a primitive has a triangle with less than three corners");
    if (e.count / 3 > MESH_FACES - g->m->faces)
        return fail_gltf(g, "the scene repeats its meshes too often");
    for (size_t i = 0; i < e.count; i++) {
        char value[4] = {0};
        size_t at = i;
        if (e.at != NULL) {
            memcpy(value, e.at + i * e.stride, size);
            at = read_u32(value);
        }
        if (at >= vertices)
            return fail_gltf(g, "an index refers to no vertex");
        corner[i % 3] = first + at;
        if (i % 3 == 2 && mirrored)
            add_face(g->m, corner[0], corner[2], corner[1]);
        else if (i % 3 == 2)
            add_face(g->m, corner[0], corner[1], corner[2]);
    }
    return 0;
}

static int add_primitive(const gltf *g, const json_t *primitive, const matrix to)
{
    const size_t first = g->m->vertices;
    const bool mirrored =
        dot(vec3(to[0][0], to[0][1], to[0][2]),
            cross(vec3(to[1][0], to[1][1], to[1][2]), vec3(to[2][0], to[2][1], to[2][2]))) < 0.0;
    size_t mode, count = 0;
    if (!whole_in(primitive, "mode", TRIANGLES, &mode) || mode != TRIANGLES)
        return fail_gltf(g, "there are no triangles of plain floats");
    TRY(add_vertices(g, primitive, to, &count));
    TRY(add_faces(g, primitive, first, count, mirrored));
    if (interrupted)
        return stopped("interrupted: no result was found so far");
    return 0;
}

/* ---- nodes ------------------------------------------------------------------------- */

/* Whether one of the weights of morph targets moves vertices. */
static bool is_morphed(const json_t *weights)
{
    const json_t *x;
    size_t i;
    json_array_foreach(weights, i,
                       x) if (!json_is_number(x) || json_number_value(x) != 0.0) return true;
    return false;
}

static int add_mesh(const gltf *g, const json_t *node, const matrix to)
{
    const json_t *part, *weights = json_object_get(node, "weights");
    size_t i;
    if (json_object_get(node, "mesh") == NULL)
        return 0;
    const json_t *drawn = entry_under(g, node, "mesh", ABSENT, "meshes");
    if (drawn == NULL)
        return fail_gltf(g, "a node refers to no mesh");
    if (json_object_get(node, "skin") != NULL)
        return fail_gltf(g, "a skin moves the vertices, which the tool cannot compute");
    if (weights == NULL)
        weights = json_object_get(drawn, "weights");
    if (is_morphed(weights))
        return fail_gltf(g, "morph targets move the vertices, which the tool cannot compute");
    if (json_object_get(json_object_get(node, "extensions"), "EXT_mesh_gpu_instancing") != NULL)
        return fail_gltf(g, "a node repeats its mesh by an extension, which the tool cannot read");
    json_array_foreach(json_object_get(drawn, "primitives"), i, part)
        TRY(add_primitive(g, part, to));
    return 0;
}

/* Takes the matrix of a node, whose last row must be 0, 0, 0, 1. */
static bool read_matrix(const json_t *node, matrix to)
{
    double x[16];
    if (!numbers_of(json_object_get(node, "matrix"), COUNT(x), x) ||
        json_object_get(node, "translation") != NULL || json_object_get(node, "rotation") != NULL ||
        json_object_get(node, "scale") != NULL)
        return false;
    for (size_t k = 0; k < COUNT(x); k++)
        to[k / 4][k % 4] = x[k];
    return x[3] == 0.0 && x[7] == 0.0 && x[11] == 0.0 && x[15] == 1.0;
}

/* The matrix of a node: given, or of translation, rotation and scale. False: it is none. */
static bool node_matrix(const json_t *node, matrix to)
{
    double t[3] = {0, 0, 0}, q[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
    const struct part {
        const char *key;
        double *x;
        size_t count;
    } parts[] = {{"translation", t, 3}, {"rotation", q, 4}, {"scale", s, 3}};
    if (json_object_get(node, "matrix") != NULL)
        return read_matrix(node, to);
    for (size_t i = 0; i < COUNT(parts); i++) {
        const json_t *list = json_object_get(node, parts[i].key);
        if (list != NULL && !numbers_of(list, parts[i].count, parts[i].x))
            return false;
    }
    ph_quat turn = {q[3], q[0], q[1], q[2]};
    if (!attitude_of_file(&turn))
        return false;
    for (int k = 0; k < 3; k++) {
        const ph_vec3 c = rotate(turn, scale(s[k], vec3(k == 0, k == 1, k == 2)));
        memcpy(to[k], &c, sizeof c);
        to[3][k] = t[k];
    }
    to[3][3] = 1.0;
    return true;
}

/* Adds the node of an index, which is in a list of the document, and those below it. Each node is
 * visited once, so that the time is bounded by the size of the file. */
static int add_node(gltf *g, const json_t *number, const matrix above, int depth)
{
    enum { DEEPEST = 1000 };
    matrix own = {{0}}, to = {{0}};
    const json_t *part;
    size_t index, i;
    if (!whole_number(number, &index) || index >= g->nodes)
        return fail_gltf(g, "an index refers to no node");
    if (g->visited[index])
        return fail_gltf(g, "the nodes are not a tree");
    if (depth == DEEPEST)
        return fail_gltf(g, "more than 1000 nodes are below each other");
    g->visited[index] = true;
    const json_t *node = entry(g, "nodes", index);
    if (!node_matrix(node, own))
        return fail_gltf(g,
                         "a node has a matrix, translation, rotation or scale that is none, or a "
                         "rotation that does not have unit length");
    for (size_t k = 0; k < 64; k++)
        to[k / 16][k / 4 % 4] += above[k % 4][k / 4 % 4] * own[k / 16][k % 4];
    TRY(add_mesh(g, node, (const double(*)[4])to));
    json_array_foreach(json_object_get(node, "children"), i, part)
        TRY(add_node(g, part, (const double(*)[4])to, depth + 1));
    return 0;
}

static int add_scene(gltf *g)
{
    static const matrix unit = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    const json_t *node;
    size_t i;
    const json_t *scene = entry_under(g, g->json, "scene", 0, "scenes");
    if (scene == NULL)
        return fail_gltf(g, "it has no scene");
    json_array_foreach(json_object_get(scene, "nodes"), i, node) TRY(add_node(g, node, unit, 0));
    return 0;
}

/* ---- the document ------------------------------------------------------------------ */

/* Whether an extension moves no vertex: it is about materials, textures and light, or about types
 * of components that are refused one by one. */
static bool is_harmless(const char *extension)
{
    static const char *const beginnings[] = {"KHR_materials_", "KHR_texture_", "EXT_texture_",
                                             "KHR_lights_", "KHR_mesh_quantization"};
    for (size_t i = 0; i < COUNT(beginnings); i++)
        if (strncmp(extension, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

static int refuse_document(const gltf *g)
{
    const json_t *asset = json_object_get(g->json, "asset"), *x;
    const json_t *least = json_object_get(asset, "minVersion");
    const char *version = json_string_value(json_object_get(asset, "version"));
    size_t i;
    if (version == NULL || strncmp(version, "2.", 2) != 0 ||
        (least != NULL && !text_is(asset, "minVersion", "2.0")))
        return fail_gltf(g, "its version of glTF is not 2.0");
    json_array_foreach(json_object_get(g->json, "extensionsRequired"), i, x)
    {
        const char *name = json_string_value(x);
        REFUSE_IF(name == NULL || !is_harmless(name),
                  WORDS ": it requires the extension " WORDS
                        ", which the tool cannot read: export it again without this extension",
                  g->m->path, text_or_empty(name));
    }
    if (json_object_get(entry(g, "buffers", 0), "uri") != NULL)
        return fail_gltf(g, "its numbers are in another file");
    return 0;
}

/* The chunk of a type (4.4.3) at a place of the file; false if there is none. */
static bool find_chunk(const char *bytes, size_t length, size_t place, uint32_t type,
                       const char **chunk, size_t *size)
{
    enum { HEAD = 8 };
    if (place > length || length - place < HEAD || read_u32(bytes + place + 4) != type)
        return false;
    *size = read_u32(bytes + place);
    *chunk = bytes + place + HEAD;
    return *size <= length - place - HEAD;
}

int mesh_read_gltf(mesh *m, const char *bytes, size_t length)
{
    enum { HEAD = 12, VERSION = 2, TEXT = 0x4E4F534A, BINARY = 0x004E4942 };
    gltf g = {.m = m};
    const char *text;
    size_t size;
    REFUSE_IF(length < HEAD || memcmp(bytes, "glTF", 4) != 0,
              WORDS " is not a binary glTF file: export it again", m->path);
    if (read_u32(bytes + 4) != VERSION)
        return fail_gltf(&g, "its version of glTF is not 2.0");
    if (read_u32(bytes + 8) != length || !find_chunk(bytes, length, HEAD, TEXT, &text, &size))
        return fail_gltf(&g, "it is not as long as its head says");
    g.json = json_loadb(text, size, 0, NULL);
    if (g.json == NULL)
        return fail_gltf(&g, "its JSON is damaged");
    memory_at_end(json_drop, g.json);
    if (!find_chunk(bytes, length, (size_t)(text - bytes) + size, BINARY, &g.bytes, &g.length))
        g.length = 0;
    g.nodes = json_array_size(json_object_get(g.json, "nodes"));
    g.visited = memory_new(g.nodes, sizeof *g.visited);
    TRY(refuse_document(&g));
    return add_scene(&g);
}
