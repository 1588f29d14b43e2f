/* arb.c - matrices of Arb count as written once they have begun: MemorySanitizer does not see that Arb writes
 * them. Its other objects are only read by Arb itself. Without Arb nothing here is called. */
#ifdef __has_include
#if __has_include(<arb_mat.h>)
#include <arb_mat.h>

#include <sanitizer/msan_interface.h>

__typeof__(arb_mat_init) __real_arb_mat_init, __wrap_arb_mat_init;

void __wrap_arb_mat_init(arb_mat_t mat, slong rows, slong columns)
{
    __real_arb_mat_init(mat, rows, columns);
    __msan_unpoison(mat, sizeof *mat);
}
#endif
#endif
