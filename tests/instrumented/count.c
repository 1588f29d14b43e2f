/* count.c - the numbers of Newton iterations and of solves that this thread has made. */
_Thread_local long newton_iterations, newton_solves;
