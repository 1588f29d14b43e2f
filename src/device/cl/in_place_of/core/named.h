/* named.h - in place of src/core/named.h on a device, where nothing is looked for by name. */
