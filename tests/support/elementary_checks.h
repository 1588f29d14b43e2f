/* elementary_checks.h - the elementary functions of src/base/elementary.h. */
#ifndef TESTS_SUPPORT_ELEMENTARY_CHECKS_H
#define TESTS_SUPPORT_ELEMENTARY_CHECKS_H

/* Errors at that many random arguments each, special values and symmetries; the status of
 * main(). */
int elementary_checks(long arguments);

#endif
