/* unwritten.c heap|grown|stack - reads a number that was never written: the search must find it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    double stack[2], *heap = calloc(2, sizeof *heap), *x = stack;
    if (argc != 2 || heap == NULL)
        return EXIT_FAILURE;
    if (strcmp(argv[1], "stack") != 0) {
        free(heap);
        heap = malloc(2 * sizeof *heap);
    }
    if (heap != NULL && strcmp(argv[1], "grown") == 0) {
        heap[0] = heap[1] = 0.0;
        heap = realloc(heap, 1000 * sizeof *heap);
        x = heap == NULL ? stack : heap + 998;
    } else if (heap != NULL && strcmp(argv[1], "heap") == 0) {
        x = heap;
    }
    x[0] = 0.0;
    if (x[1] > 0.0)
        (void)puts("positive");
    free(heap);
    return EXIT_SUCCESS;
}
