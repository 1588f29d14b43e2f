/* plugin.cpp - loads the fix as `plugin load` of LAMMPS does, where LAMMPS has no such command:
 * plugin LIBRARY ARGUMENT..., the arguments those of lmp. */
#include <lammps.h>
#include <library.h>
#include <modify.h>

#include <dlfcn.h>

#include <cstdio>
#include <cstring>
#include <string>

/* The interface of the package PLUGIN, as its manual gives it. */
struct plugin {
    const char *version, *style, *name, *info, *author;
    void *(*creator)(void *lammps, int narg, char **arg);
    void *handle;
};

static void *handle;

static void register_plugin(plugin *p, void *lammps)
{
    LAMMPS_NS::LAMMPS *lmp = static_cast<LAMMPS_NS::LAMMPS *>(lammps);
    if (strcmp(p->version, lmp->version) != 0 || strcmp(p->style, "fix") != 0 ||
        p->info == nullptr || p->author == nullptr || p->handle != handle)
        return;
    LAMMPS_NS::Modify::FixCreator creator;
    memcpy(&creator, &p->creator, sizeof creator);
    (*lmp->modify->fix_map)[p->name] = creator;
}

int main(int argc, char **argv)
{
    void *lmp = lammps_open_no_mpi(argc - 2, argv + 1, nullptr);
    void (*start)(void *, void *, void *);
    handle = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
    void *symbol = handle != nullptr ? dlsym(handle, "lammpsplugin_init") : nullptr;
    if (symbol == nullptr) {
        fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    memcpy(&start, &symbol, sizeof start);
    start(lmp, handle, reinterpret_cast<void *>(register_plugin));
    lammps_file(lmp, argv[argc - 1]);
    lammps_close(lmp);
    lammps_mpi_finalize();
    return 0;
}
