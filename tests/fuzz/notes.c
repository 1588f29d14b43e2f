/* notes.c - snapshots with a valid checksum and any note: resumed, drawn, viewed.
 *
 * The first byte says of which system; the note follows, in which ~ is the folder.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "polhode/polhode.h"
#include "polhode/system.h"
#include "support/resign.h"
#include "system/find.h"

static const char *const systems[][2] = {
    {"heavy_top", "s6_10+exact"},
    {"free", "gbs"},
    {"double_pendulum", "rattle"},
};
enum { SYSTEMS = sizeof systems / sizeof systems[0] };

/* The snapshot of a system after ten steps. */
static unsigned char *snapshot(size_t which, size_t *size)
{
    ph_system *s;
    require(system_by_names(&s, systems[which][0], systems[which][1], 0.01) == PH_OK &&
                ph_system_run(s, 10, NULL) == PH_OK,
            "there is a system");
    *size = ph_system_save(s, NULL, 0);
    unsigned char *bytes = malloc(*size);
    require(bytes != NULL && ph_system_save(s, bytes, *size) == *size, "it is saved");
    ph_system_destroy(s);
    return bytes;
}

/* The note with the folder in it, and no way out of that. */
static char *note_of(const uint8_t *data, size_t size, size_t *length)
{
    char folder[200];
    require(getcwd(folder, sizeof folder) != NULL, "there is a folder");
    char *note = malloc(size * (strlen(folder) + 1) + 1);
    require(note != NULL, "there is memory");
    *length = 0;
    for (size_t i = 0; i < size; i++) {
        const bool escape =
            data[i] == '\\' && i + 1 < size && (data[i + 1] == 'u' || data[i + 1] == '/');
        if (data[i] == '~')
            *length += (size_t)sprintf(note + *length, "%s/", folder);
        else
            note[(*length)++] = (char)(data[i] == '/' || escape ? '_' : data[i]);
    }
    return note;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    size_t whole, length, all;
    unsigned char *plain = snapshot(data[0] % SYSTEMS, &whole);
    char *note = note_of(data + 1, size - 1, &length);
    unsigned char *bytes = resign(plain, whole, note, length, &all);
    require(bytes != NULL, "there is memory");
    static const char *const words[][4] = {
        {"resume", "s"}, {"resume", "s", "--time", "0.2"}, {"plot", "s", "--out", "a.svg"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        write_file("s", bytes, all);
        write_file("rows.csv", "", 0);
        scripts_are_drawn = true;
        (void)run_tool(words[i][2] == NULL ? 2 : 4, words[i]);
    }
    free(bytes);
    free(note);
    free(plain);
    empty_folder();
    return 0;
}
