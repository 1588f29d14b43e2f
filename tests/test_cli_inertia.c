/* test_cli_inertia.c - polhode inertia: solids whose moments are known, in every format, and
 * surfaces that it refuses. */
/* Needs extra. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "motion/vec.h"
#include "support/run_tool.h"

/* ---- solids, as vertices and faces of at most four ---------------------------------- */

typedef struct solid {
    const char *name;
    ph_vec3 vertex[8];
    int face[8][4]; /* from 1; 0 ends it */
    size_t vertices, faces;
    double volume, moments[3]; /* of density 1, about the centre */
} solid;

#define ROOT3 1.7320508075688772
static const solid solids[] = {
    {"box",
     {{0, 0, 0}, {2, 0, 0}, {2, 3, 0}, {0, 3, 0}, {0, 0, 5}, {2, 0, 5}, {2, 3, 5}, {0, 3, 5}},
     {{4, 3, 2, 1}, {5, 6, 7, 8}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 4, 8, 7}, {4, 1, 5, 8}},
     8,
     6,
     30,
     {32.5, 72.5, 85}},
    {"tetrahedron of edge 2 sqrt 2",
     {{1, 1, 1}, {-1, -1, 1}, {-1, 1, -1}, {1, -1, -1}},
     {{1, 3, 2}, {1, 2, 4}, {1, 4, 3}, {2, 3, 4}},
     4,
     4,
     8.0 / 3,
     {16.0 / 15, 16.0 / 15, 16.0 / 15}}, /* m a^2/20 */
    {"octahedron of edge sqrt 2",
     {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
     {{1, 3, 5}, {3, 2, 5}, {2, 4, 5}, {4, 1, 5}, {3, 1, 6}, {2, 3, 6}, {4, 2, 6}, {1, 4, 6}},
     6,
     8,
     4.0 / 3,
     {4.0 / 15, 4.0 / 15, 4.0 / 15}}, /* m a^2/10 */
    {"prism of an equilateral triangle of side 2, height 1",
     {{-1, 0, 0}, {1, 0, 0}, {0, ROOT3, 0}, {-1, 0, 1}, {1, 0, 1}, {0, ROOT3, 1}},
     {{3, 2, 1}, {4, 5, 6}, {1, 2, 5, 4}, {2, 3, 6, 5}, {3, 1, 4, 6}},
     6,
     5,
     ROOT3,
     {ROOT3 / 4, ROOT3 / 4, ROOT3 / 3}}, /* m (a^2/24 + h^2/12), m a^2/12 */
};

static const ph_quat turns[] = {{1, 0, 0, 0}, {0.5, 0.5, -0.5, 0.5}, {0.8, 0, 0.36, 0.48}};
static const ph_vec3 shift = {30, -20, 10};

static ph_vec3 placed(const solid *s, int vertex, ph_quat turn)
{
    return add(rotate(turn, s->vertex[vertex]), shift);
}

static void write_obj(const solid *s, ph_quat turn)
{
    FILE *f = fopen("solid.obj", "w");
    assert_non_null(f);
    (void)fputs("# a solid\nvn 0 0 1\n", f);
    for (size_t i = 0; i < s->vertices; i++) {
        const ph_vec3 v = placed(s, (int)i, turn);
        (void)fprintf(f, "v %.17g %.17g %.17g\n", v.x, v.y, v.z);
    }
    for (size_t i = 0; i < s->faces; i++) { /* by all ways to write a face */
        (void)fputs("f", f);
        for (int k = 0; k < 4 && s->face[i][k] > 0; k++)
            (void)fprintf(f, i % 2 ? " %d//1" : " %d",
                          i % 3 ? s->face[i][k] : s->face[i][k] - 1 - (int)s->vertices);
        (void)fputs("\n", f);
    }
    (void)fclose(f);
}

/* Triangles of the first vertex of a face and an edge. */
static void write_stl(const solid *s, ph_quat turn, bool binary)
{
    char head[80] = "solid or not";
    uint32_t count = 0;
    FILE *f = fopen("solid.stl", "wb");
    assert_non_null(f);
    for (size_t i = 0; i < s->faces; i++)
        count += s->face[i][3] > 0 ? 2 : 1;
    if (binary) {
        (void)fwrite(head, sizeof head, 1, f);
        (void)fwrite(&count, sizeof count, 1, f);
    } else {
        (void)fputs("solid vertex\n", f);
    }
    for (size_t i = 0; i < s->faces; i++) {
        for (int k = 2; k < 4 && s->face[i][k] > 0; k++) {
            const int corner[] = {0, k - 1, k};
            const float none[3] = {0};
            const uint16_t attribute = 0;
            (void)(binary ? fwrite(none, sizeof none, 1, f)
                          : (size_t)fputs("facet normal 0 0 0\nouter loop\n", f));
            for (size_t n = 0; n < 3; n++) {
                const ph_vec3 v = placed(s, s->face[i][corner[n]] - 1, turn);
                const float x[] = {(float)v.x, (float)v.y, (float)v.z};
                if (binary)
                    (void)fwrite(x, sizeof x, 1, f);
                else
                    (void)fprintf(f, "vertex %.9g %.9g %.9g\n", x[0], x[1], x[2]);
            }
            (void)(binary ? fwrite(&attribute, sizeof attribute, 1, f)
                          : (size_t)fputs("endloop\nendfacet\n", f));
        }
    }
    (void)fclose(f);
}

/* The tensor by moments and axes is the one that is printed, and the moments are known. */
static void assert_solid(const solid *s, const char *path, double tolerance)
{
    tool_run run = RUN("inertia", path, "--json"),
             heavy = RUN("inertia", path, "--mass", "7", "--json");
    assert_done(&run);
    json_t *json = parse_json(run.out), *by_mass = parse_json(heavy.out);
    const double off = tolerance * s->moments[2];
    static const int element[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    assert_true(fabs(json_at(json, "volume", 0) - s->volume) < tolerance * s->volume);
    assert_true(json_at(json, "mass", 0) == json_at(json, "volume", 0));
    assert_true(fabs(json_at(by_mass, "mass", 0) - 7) < 1e-14);
    for (size_t k = 0; k < 3; k++) {
        const double moment = json_at(json, "moments", k);
        assert_true(fabs(moment - s->moments[k]) < off);
        assert_true(fabs(json_at(by_mass, "moments", k) - moment * 7 / s->volume) <
                    off * 7 / s->volume);
    }
    for (int n = 0; n < 9; n++) {
        double sum = 0.0;
        for (size_t k = 0; k < 3; k++) {
            const json_t *axis = json_array_get(json_object_get(json, "axes"), k);
            sum += json_at(json, "moments", k) *
                   json_number_value(json_array_get(axis, (size_t)n / 3)) *
                   json_number_value(json_array_get(axis, (size_t)n % 3));
        }
        assert_true(fabs(sum - json_at(json, "tensor", (size_t)element[n / 3][n % 3])) <
                    1e-13 * s->moments[2]);
    }
    json_decref(json);
    json_decref(by_mass);
    tool_run_free(&run);
    tool_run_free(&heavy);
}

static void test_solids(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof solids / sizeof solids[0]; i++) {
        for (size_t k = 0; k < sizeof turns / sizeof turns[0]; k++) {
            write_obj(&solids[i], turns[k]);
            assert_solid(&solids[i], "solid.obj", 1e-13);
            write_stl(&solids[i], turns[k], true);
            assert_solid(&solids[i], "solid.stl", 1e-5); /* of floats */
            write_stl(&solids[i], turns[k], false);
            assert_solid(&solids[i], "solid.stl", 1e-5);
        }
    }
}

/* The scene of a run has a body with the moments of the run. */
static void test_scene(void **state)
{
    (void)state;
    tool_run run = RUN("run", "--problem", "free", "--method", "exact", "--step", "0.1", "--time",
                       "1", "--inertia", "1,2,2.5", "--out", "scene.glb"),
             measured = RUN("inertia", "scene.glb", "--json");
    assert_done(&run);
    assert_done(&measured);
    json_t *json = parse_json(measured.out);
    for (size_t k = 1; k < 3; k++)
        assert_true(fabs(json_at(json, "moments", k) / json_at(json, "moments", 0) -
                         (k == 1 ? 2 : 2.5)) < 1e-6);
    json_decref(json);
    tool_run_free(&run);
    tool_run_free(&measured);
}

/* Inside out is the same body. */
static void test_inside_out(void **state)
{
    (void)state;
    solid s = solids[1];
    for (size_t i = 0; i < s.faces; i++) {
        s.face[i][0] = solids[1].face[i][1];
        s.face[i][1] = solids[1].face[i][0];
    }
    write_obj(&s, turns[0]);
    assert_solid(&s, "solid.obj", 1e-13);
}

/* Writes tetrahedra, each in the place and of the size of its row, inside out if that is negative. */
static void write_tetrahedra(const double (*row)[2], size_t count)
{
    char text[4096] = "";
    size_t at = 0;
    const solid *s = &solids[1];
    for (size_t n = 0; n < count; n++) {
        for (size_t i = 0; i < s->vertices; i++) {
            const ph_vec3 v = scale(fabs(row[n][1]), s->vertex[i]);
            at += (size_t)snprintf(text + at, sizeof text - at, "v %.17g %.17g %.17g\n",
                                   row[n][0] + v.x, v.y, v.z);
        }
        for (size_t i = 0; i < s->faces; i++) {
            const int *f = s->face[i];
            at += (size_t)snprintf(text + at, sizeof text - at, "f %d %d %d\n",
                                   f[row[n][1] < 0] - 5, f[row[n][1] > 0] - 5, f[2] - 5);
        }
        at += (size_t)snprintf(text + at, sizeof text - at, "f -1 -1 -2\n");
    }
    file_write("solid.obj", text);
}

/* Several shells: beside each other, hollow, a body within a hollow, with triangles that are none. */
static void test_shells(void **state)
{
    (void)state;
    static const struct {
        double row[3][2];
        size_t count;
        double volume; /* NaN: refused */
        const char *why;
    } all[] = {
        {{{0, 1}, {5, 2}}, 2, 1 + 8, ""},
        {{{0, -1}, {5, -2}}, 2, 1 + 8, ""},
        {{{0, 1}, {0, -0.5}}, 2, 1 - 0.125, ""},
        {{{0, -0.5}, {0, 1}}, 2, 1 - 0.125, ""},
        {{{0, 1}, {0, -0.5}, {0, 0.25}}, 3, 1 - 0.125 + 0.015625, ""},
        {{{0, -1}, {0, 0.5}, {0, -0.25}}, 3, 1 - 0.125 + 0.015625, ""},
        {{{0, 1}, {5, -2}}, 2, NAN, "inside out, but not a cavity in another part"},
        {{{0, 1}, {0, 0.5}}, 2, NAN, "inside another part, but oriented like a solid"},
        {{{0, 1}, {0, -0.5}, {0, -0.25}}, 3, NAN, "inside out, but not a cavity in another part"},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        write_tetrahedra(all[i].row, all[i].count);
        if (isnan(all[i].volume)) {
            assert_refused(RUN("inertia", "solid.obj"), all[i].why);
            continue;
        }
        tool_run run = RUN("inertia", "solid.obj", "--json");
        assert_done(&run);
        json_t *json = parse_json(run.out);
        const double volume = json_number_value(json_object_get(json, "volume"));
        assert_true(fabs(volume / (solids[1].volume * all[i].volume) - 1.0) < 1e-13);
        json_decref(json);
        tool_run_free(&run);
    }
}

static void test_refused(void **state)
{
    (void)state;
    solid s = solids[0];
    s.faces--;
    write_obj(&s, turns[0]);
    assert_refused(RUN("inertia", "solid.obj"), "open at 4 edges");
    s = solids[1];
    s.face[0][0] = solids[1].face[0][1];
    s.face[0][1] = solids[1].face[0][0];
    write_obj(&s, turns[0]);
    assert_refused(RUN("inertia", "solid.obj"), "3 edges have opposite orientations");
    s = solids[1]; /* every face twice, and every one in the other direction too */
    s.faces = 2 * solids[1].faces;
    for (size_t i = 0; i < solids[1].faces; i++)
        memcpy(s.face[solids[1].faces + i], solids[1].face[i], sizeof s.face[i]);
    write_obj(&s, turns[0]);
    assert_refused(RUN("inertia", "solid.obj"), "6 edges belong to more than two faces");
    for (size_t i = 0; i < solids[1].faces; i++) {
        s.face[solids[1].faces + i][0] = solids[1].face[i][1];
        s.face[solids[1].faces + i][1] = solids[1].face[i][0];
    }
    write_obj(&s, turns[0]);
    assert_refused(RUN("inertia", "solid.obj"), "6 edges belong to more than two faces");
    static const char *const bad[][3] = {
        {"a.obj", "v 0 0 0\nv 1 0 0\nf 1 2 3\n", "a.obj:3"},
        {"a.obj", "v 0 0\n", "a.obj:1"},
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 3 2\n", "no volume"},
        {"a.obj", "v 0 0 0\nv 1 0.1 0\nv 0.3 1 0.7\nv 5 5 5\nf 1 2 3\nf 3 2 1\n", "no volume"},
        {"a.obj", "", "no faces"},
        {"a.stl", "stuff", "not an STL"},
        {"a.stl", "solid\nvertex 1 2\n", "three numbers"},
        {"a.stl", "solid\nvertex 1 2 3\n", "three vertices"},
        {"a.glb", "glTF and then nothing that is any", "glTF"},
        {"a.txt", "", ".stl, .obj or .glb"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        file_write(bad[i][0], bad[i][1]);
        assert_refused(RUN("inertia", bad[i][0]), bad[i][2]);
    }
    write_obj(&solids[0], turns[0]);
    assert_refused(RUN("inertia"), "name it");
    assert_refused(RUN("inertia", "none.stl"), "none.stl");
    assert_refused(RUN("inertia", "solid.obj", "--density", "0"), "--density");
    assert_refused(RUN("inertia", "solid.obj", "--mass", "-1"), "--mass");
    assert_refused(RUN("inertia", "solid.obj", "--mass", "1", "--density", "1"), "--density");
}

/* ---- scenes of glTF ------------------------------------------------------------------ */

/* The unit cube; what the tests change of it stands in words of its own. */
static const char cube[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
    "\"nodes\":[{\"mesh\":0}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":8,\"type\":\"VEC3\"},"
    "{\"bufferView\":1,\"componentType\":5123,\"count\":36,\"type\":\"SCALAR\"}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":96},"
    "{\"buffer\":0,\"byteOffset\":96,\"byteLength\":72}],\"buffers\":[{\"byteLength\":168}]}";

/* Writes a document and the numbers of the cube, with this version of the container. */
static void write_scene(const char *document, uint32_t version, uint32_t more)
{
    static const float vertex[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                       {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    static const uint16_t face[36] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                      1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};
    const uint32_t bytes = sizeof vertex + sizeof face,
                   text = (uint32_t)(strlen(document) + 3) / 4 * 4;
    const uint32_t head[5] = {0x46546C67, version, 28 + text + bytes + more, text, 0x4E4F534A};
    FILE *f = fopen("a.glb", "wb");
    assert_non_null(f);
    (void)fwrite(head, sizeof head, 1, f);
    (void)fprintf(f, "%-*s", (int)text, document);
    (void)fwrite((const uint32_t[]){bytes, 0x004E4942}, 8, 1, f);
    (void)fwrite(vertex, sizeof vertex, 1, f);
    (void)fwrite(face, sizeof face, 1, f);
    (void)fclose(f);
}

/* Writes the cube with a part replaced. */
static void write_changed(const char *part, const char *by)
{
    char text[4096];
    const char *at = strstr(cube, part);
    assert_non_null(at);
    (void)snprintf(text, sizeof text, "%.*s%s%s", (int)(at - cube), cube, by, at + strlen(part));
    write_scene(text, 2, 0);
}

/* What is understood gives its volume; all else is refused, and nothing is guessed. */
static void test_gltf(void **state)
{
    (void)state;
    static const struct {
        const char *part, *by;
        double volume;
    } good[] = {
        {"0}]}],\"nodes\"", "0}]}],\"nodes\"", 1},
        {"{\"mesh\":0}", "{\"mesh\":0.0,\"rotation\":[0,0.6,0,0.8001]}", 1},
        {"{\"mesh\":0}", "{\"mesh\":0,\"scale\":[1,2,-3]}", 6},
        {"{\"mesh\":0}", "{\"mesh\":0,\"matrix\":[2,0,0,0,0,1,0,0,0,0,1,0,5,6,7,1]}", 2},
        {"\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}]",
         "\"scenes\":[{\"nodes\":[1,0]}],\"nodes\":[{\"mesh\":0},{\"mesh\":0,\"translation\":[5,0,"
         "0]}]",
         2},
        {"\"indices\":1", "\"indices\":1,\"targets\":[{}]", 1},
        {"\"scene\"", "\"extensionsRequired\":[\"KHR_materials_unlit\"],\"scene\"", 1},
    };
    for (size_t i = 0; i < COUNT(good); i++) {
        if (i == 0)
            write_scene(cube, 2, 0);
        else
            write_changed(good[i].part, good[i].by);
        tool_run run = RUN("inertia", "a.glb", "--json");
        assert_done(&run);
        json_t *json = parse_json(run.out);
        assert_true(fabs(json_at(json, "volume", 0) - good[i].volume) < 1e-12 * good[i].volume);
        json_decref(json);
        tool_run_free(&run);
    }
    static const char *const bad[][3] = {
        {"{\"mesh\":0}", "{\"mesh\":0,\"rotation\":[0,0,1,2]}", "unit length"},
        {"{\"mesh\":0}", "{\"mesh\":0,\"translation\":[\"a\",0,0]}", "translation"},
        {"{\"mesh\":0}", "{\"mesh\":0,\"translation\":[1,2]}", "translation"},
        {"{\"mesh\":0}", "{\"mesh\":0,\"scale\":2}", "scale"},
        {"{\"mesh\":0}", "{\"mesh\":0,\"matrix\":[1,0,0,1,0,1,0,0,0,0,1,0,0,0,0,1]}", "matrix"},
        {"{\"mesh\":0}", "{\"mesh\":0,\"weights\":[0.5]}", "morph"},
        {"{\"mesh\":0}", "{\"mesh\":0,\"skin\":0}", "skin"},
        {"{\"mesh\":0}", "{\"mesh\":0,\"extensions\":{\"EXT_mesh_gpu_instancing\":{}}}",
         "repeats its mesh"},
        {"{\"mesh\":0}", "{\"mesh\":1}", "no mesh"},
        {"{\"mesh\":0}", "{\"mesh\":0.5}", "no mesh"},
        {"{\"mesh\":0}", "{\"mesh\":1e308}", "no mesh"},
        {"{\"mesh\":0}", "{\"mesh\":-1}", "no mesh"},
        {"{\"mesh\":0}", "{\"mesh\":\"0\"}", "no mesh"},
        {"\"nodes\":[0]", "\"nodes\":[0.5]", "no node"},
        {"\"nodes\":[0]", "\"nodes\":[1e308]", "no node"},
        {"\"nodes\":[0]", "\"nodes\":[0,0]", "not a tree"},
        {"{\"mesh\":0}", "{\"mesh\":0,\"children\":[0]}", "not a tree"},
        {"\"scene\":0", "\"scene\":1e308", "no scene"},
        {"\"scene\":0", "\"scene\":0.5", "no scene"},
        {"\"POSITION\":0", "\"POSITION\":0.5", "plain floats"},
        {"\"indices\":1", "\"indices\":1e308", "indices"},
        {"\"indices\":1", "\"indices\":1,\"mode\":5", "triangles"},
        {"\"indices\":1", "\"indices\":0", "indices"},
        {"5123", "5126", "indices"},
        {"\"count\":36", "\"count\":35", "less than three corners"},
        {"\"count\":36", "\"count\":37", "indices"},
        {"\"count\":36", "\"count\":36.5", "indices"},
        {"\"count\":8", "\"count\":1e308", "plain floats"},
        {"\"count\":8", "\"count\":8,\"byteOffset\":1e15", "plain floats"},
        {"\"count\":8", "\"count\":8,\"sparse\":{}", "plain floats"},
        {"\"VEC3\"", "\"VEC4\"", "plain floats"},
        {"\"byteLength\":96", "\"byteLength\":96,\"byteStride\":12.5", "plain floats"},
        {"\"byteLength\":168", "\"byteLength\":168,\"uri\":\"/etc/passwd\"", "another file"},
        {"\"2.0\"", "\"1.0\"", "version"},
        {"\"2.0\"", "\"2.0\",\"minVersion\":\"2.1\"", "version"},
        {"\"scene\"", "\"extensionsRequired\":[\"EXT_meshopt_compression\"],\"scene\"",
         "EXT_meshopt_compression"},
        {"\"asset\"", "\"asset", "JSON"},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        write_changed(bad[i][0], bad[i][1]);
        assert_refused(RUN("inertia", "a.glb"), bad[i][2]);
    }
    write_scene(cube, 1, 0);
    assert_refused(RUN("inertia", "a.glb"), "version");
    write_scene(cube, 2, 4);
    assert_refused(RUN("inertia", "a.glb"), "as long as");
}

/* Forty nodes, each of which has the next one twice below it: 2^40 ways from the first to the last. */
static void test_doubled_nodes(void **state)
{
    (void)state;
    char text[8192];
    const char *meshes = strstr(cube, "\"meshes\"");
    size_t at = (size_t)snprintf(text, sizeof text,
                                 "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],"
                                 "\"nodes\":[");
    for (int i = 0; i < 40; i++)
        at +=
            (size_t)snprintf(text + at, sizeof text - at, "{\"children\":[%d,%d]},", i + 1, i + 1);
    (void)snprintf(text + at, sizeof text - at, "{\"mesh\":0}],%s", meshes);
    write_scene(text, 2, 0);
    assert_refused(RUN("inertia", "a.glb"), "not a tree");
}

/* Slivers side by side, whose boxes contain each other: the time grows with the square of their number, and a
 * signal ends it. */
static void test_interrupted(void **state)
{
    (void)state;
    enum { SLIVERS = 20000 };
    FILE *f = fopen("a.obj", "w");
    assert_non_null(f);
    for (int i = 0; i < SLIVERS; i++) {
        static const double apart = 0.01, length = 1000, width = 0.003;
        const double x = apart * i;
        (void)fprintf(f,
                      "v %g %g 0\nv %g %g 0\nv %g %g 0\nv %g %g %g\n"
                      "f -4 -2 -3\nf -4 -3 -1\nf -4 -1 -2\nf -3 -2 -1\n",
                      x, -x, x + width, -x, x, width - x, x + length, length - x, length);
    }
    (void)fclose(f);
    const tool_pipe error = open_pipe();
    const pid_t tool = START(-1, -1, error.write, "inertia", "a.obj");
    close(error.write);
    wait_until_caught(tool, SIGTERM);
    pause_ms(100);
    assert_int_equal(kill(tool, SIGTERM), 0);
    assert_int_equal(tool_wait(tool), 130);
    assert_contains(pipe_receive(error.read, 1), "interrupted");
    close(error.read);
}

/* Text may begin with a byte-order mark. */
static void test_marks(void **state)
{
    (void)state;
    static const char
        mark[] = "\xEF\xBB\xBF",
        obj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n",
        stl[] = "solid x\n"
                "vertex 0 0 0\nvertex 0 1 0\nvertex 1 0 0\n"
                "vertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\n"
                "vertex 0 0 0\nvertex 0 0 1\nvertex 0 1 0\n"
                "vertex 1 0 0\nvertex 0 1 0\nvertex 0 0 1\nendsolid\n";
    for (int i = 0; i < 4; i++) {
        char text[1000];
        const char *name = i < 2 ? "a.obj" : "a.stl";
        (void)snprintf(text, sizeof text, "%s%s", i % 2 ? mark : "", i < 2 ? obj : stl);
        file_write(name, text);
        tool_run run = RUN("inertia", name, "--json");
        assert_done(&run);
        json_t *json = parse_json(run.out);
        assert_true(fabs(json_at(json, "volume", 0) - 1.0 / 6) < 1e-15);
        json_decref(json);
        tool_run_free(&run);
    }
}

/* The folder is to be empty at the end. */
static void test_nothing_is_left(void **state)
{
    (void)state;
    static const char *const written[] = {"solid.obj", "solid.stl", "scene.glb", "a.obj",
                                          "a.stl",     "a.glb",     "a.txt"};
    for (size_t i = 0; i < sizeof written / sizeof written[0]; i++)
        assert_int_equal(remove(written[i]), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solids),        cmocka_unit_test(test_scene),
        cmocka_unit_test(test_inside_out),    cmocka_unit_test(test_shells),
        cmocka_unit_test(test_refused),       cmocka_unit_test(test_gltf),
        cmocka_unit_test(test_doubled_nodes), cmocka_unit_test(test_interrupted),
        cmocka_unit_test(test_marks),         cmocka_unit_test(test_nothing_is_left)};
    return cmocka_run_group_tests_name("inertia", tests, folder_enter, folder_leave);
}
