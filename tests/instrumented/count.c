/* count.c - the number of Newton iterations that this thread has made. */
_Thread_local long newton_iterations;
