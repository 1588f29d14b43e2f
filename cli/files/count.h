/* count.h - how many elements an array has. */
#pragma once

#define COUNT(a) (sizeof(a) / sizeof(a)[0])
