/* mesh.h - a surface of triangles, as the readers of meshes fill it.
 *
 * A reader returns 0, or the exit status of the error that it reported.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "motion/vec.h"
#include "tool/files/memory.h"

enum {
    MESH_BYTES = 1 << 30,         /* of a file, at most */
    MESH_FACES = MESH_BYTES / 50, /* as many as STL files of this size have */
    MESH_VERTICES = 3 * MESH_FACES,
};

typedef struct mesh {
    const char *path;
    ph_vec3 *vertex;
    size_t (*face)[3];
    size_t vertices, faces;
} mesh;

/* Whether there is no room for one more: lists grow to powers of two. */
static inline bool is_full(size_t count)
{
    return (count & (count - 1)) == 0;
}

static inline void add_vertex(mesh *m, ph_vec3 v)
{
    if (is_full(m->vertices))
        m->vertex = memory_more(m->vertex, 2 * m->vertices + 1, sizeof *m->vertex);
    m->vertex[m->vertices++] = v;
}

static inline void add_face(mesh *m, size_t a, size_t b, size_t c)
{
    if (is_full(m->faces))
        m->face = memory_more(m->face, 2 * m->faces + 1, sizeof *m->face);
    m->face[m->faces][0] = a;
    m->face[m->faces][1] = b;
    m->face[m->faces++][2] = c;
}

static inline uint32_t read_u32(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline double read_float(const char *bytes)
{
    const uint32_t bits = read_u32(bytes);
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline ph_vec3 read_floats(const char *bytes)
{
    return vec3(read_float(bytes), read_float(bytes + 4), read_float(bytes + 8));
}

/* Reads binary glTF 2.0, the triangles of the default scene in their places: gltf.c. */
int mesh_read_gltf(mesh *m, const char *bytes, size_t length);
