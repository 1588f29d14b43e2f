# No checks of what the user asks for, no registration, another interface of plugins.
# file: fix_nve_polhode.cpp
# seen by: refusals clear plugin
s/rRESPA is not supported/It is not supported/
s/^    (\*fix_map)\[STYLE\] = create;/    static bool first = true;\n    if (first)\n        (*fix_map)[STYLE] = create;\n    first = false;/
s/^struct plugin {/&\n    long api;/
s/plugin p = {/&0, /
