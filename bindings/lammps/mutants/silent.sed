# No checks of what the user asks for, no registration, another interface of plugins.
# file: fix_nve_polhode.cpp
# seen by: refusals clear plugin
/require_alone(lmp, this);/d
s/^        (\*fix_map)\[style.name\] = style.create;/        if (static int times = 0; times++ < 5)\n    &/
s/^struct plugin {/&\n    long api;/
s/plugin p = {/&0, /
