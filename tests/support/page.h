/* page.h - what the documentation says. */
#pragma once

/* The two numbers behind a text of docs/PAGE, "a ± b" or "a to b": for what round-off decides,
 * as in chaotic motion, and the page has to a few standard errors only. */
void page_pair(const char *page, const char *before, double x[2]);

/* The page docs/PAGE has this text, composed as by printf: numbers that were measured stand in
 * a page as the test found them. Ends of lines are blanks, and exponents have no zeros before
 * them, 2.6e-2. */
__attribute__((format(printf, 2, 3))) void page_says(const char *page, const char *format, ...);
