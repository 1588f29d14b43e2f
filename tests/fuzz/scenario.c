/* scenario.c - a scenario file: read, checked against its keys, and run for no time. */
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "tool/files/scenario.h"

static void check_setting(const setting *value, size_t numbers)
{
    require(value->line > 0, "a value has a line");
    require(numbers == 0 || value->count == numbers, "it has %zu numbers", numbers);
    for (size_t i = 0; i < numbers; i++)
        require(isfinite(value->x[i]), "a number is finite");
}

/* Half of a surrogate pair, which UTF-8 has not and libfyaml takes for an end. */
static bool has_surrogate(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i + 1 < size; i++) {
        if (data[i] == 0xED && data[i + 1] >= 0xA0)
            return true;
    }
    return false;
}

static void check_scenario(const char *path, bool text)
{
    scenario input = {0};
    if (scenario_read(&input, path)) {
        require(text, "only text is read");
        for (scenario_key key = 0; key < KEY_COUNT; key++) {
            if (input.value[key].is_set)
                check_setting(&input.value[key], scenario_keys[key].count);
        }
        for (size_t i = 0; i < input.named_count; i++)
            check_setting(&input.named[i], input.named[i].count);
    } else {
        require(strncmp(input.message, path, strlen(path)) == 0 &&
                    strlen(input.message) < YAML_MESSAGE,
                "a message begins with the file: %s", input.message);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = input_file(data, size);
    check_scenario(path, !has_surrogate(data, size));
    /* The options come before what the file says: nothing runs long, or is written. */
    (void)RUN_TOOL("run", path, "--step", "1", "--time", "0", "--out", "/dev/null");
    return 0;
}
