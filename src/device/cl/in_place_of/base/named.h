/* named.h - in place of src/base/named.h on a device, where nothing is looked for by name. */
