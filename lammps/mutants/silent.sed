# No checks of what the user asks for, no registration, another interface of plugins.
# file: fix_nve_polhode.cpp
# seen by: refusals clear plugin
s/rRESPA is not supported/It is not supported/
s/^    for (const char \*style : STYLES)/    static bool first = true;\n    for (const char *style : STYLES)/; s/^        (\*fix_map)\[style\] = create;/        if (first)\n            (*fix_map)[style] = create;\n    first = false;/
s/^struct plugin {/&\n    long api;/
s/plugin p = {/&0, /
