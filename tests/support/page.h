/* page.h - what the documentation says. */
#pragma once

/* The page docs/PAGE has this text, composed as by printf: numbers that were measured stand in
 * a page as the test found them. Ends of lines are blanks, and exponents have no zeros before
 * them, 2.6e-2. */
__attribute__((format(printf, 2, 3))) void page_says(const char *page, const char *format,
                                                     ...);
