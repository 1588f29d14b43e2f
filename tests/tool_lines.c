/* tool_lines.c FILE - runs the tool in this process once for each line of a file, so that a
 * sanitizer looks for leaks once, at the end. A line has the exit statuses that are right,
 * such as 0|2, and the words of a command line, separated by blanks. What the tool prints is
 * discarded; a wrong status is reported, with the messages of the tool, and ends the program.
 */
#define _GNU_SOURCE /* memfd_create */
#define main        tool_main
int tool_main(int argc, char **argv);
#include "../tool/main.c"
#undef main

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LONGEST = 4096, MOST_WORDS = 64, WRONG = 1 };

/* Splits a line at blanks. Returns the number of words; NULL follows the last one. */
static int split(char *line, char *words[MOST_WORDS])
{
    int count = 0;
    for (char *word = strtok(line, " \n"); word != NULL && count < MOST_WORDS - 1;
         word = strtok(NULL, " \n"))
        words[count++] = word;
    words[count] = NULL;
    return count;
}

static bool allows(const char *statuses, int status)
{
    char text[16];
    (void)snprintf(text, sizeof text, "%d", status);
    for (const char *one = statuses; *one != '\0'; one += one[0] == '|') {
        const size_t length = strcspn(one, "|");
        if (length == strlen(text) && strncmp(one, text, length) == 0)
            return true;
        one += length;
    }
    return false;
}

/* Standard output goes nowhere and standard error to `messages` while the tool runs. */
static int run_quietly(int argc, char **argv, int nowhere, int messages)
{
    const int out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1),
              error = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    (void)ftruncate(messages, 0);
    (void)lseek(messages, 0, SEEK_SET);
    (void)dup2(nowhere, STDOUT_FILENO);
    (void)dup2(messages, STDERR_FILENO);
    const int status = tool_main(argc, argv);
    (void)dup2(out, STDOUT_FILENO);
    (void)dup2(error, STDERR_FILENO);
    (void)close(out);
    (void)close(error);
    return status;
}

static void print_messages(int messages)
{
    char text[LONGEST];
    const ssize_t length = pread(messages, text, sizeof text, 0);
    (void)fwrite(text, 1, length > 0 ? (size_t)length : 0, stdout);
}

int main(int argc, char **argv)
{
    FILE *lines = argc == 2 ? fopen(argv[1], "re") : NULL;
    const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC),
              messages = memfd_create("messages", MFD_CLOEXEC);
    if (lines == NULL || nowhere < 0 || messages < 0 ||
        dup2(nowhere, STDIN_FILENO) != STDIN_FILENO) {
        (void)fputs("usage: tool_lines FILE\n", stderr);
        return WRONG;
    }
    char line[LONGEST], whole[LONGEST], *words[MOST_WORDS];
    int done = 0, status = 0;
    while (status == 0 && fgets(line, sizeof line, lines) != NULL) {
        (void)strcpy(whole, line);
        const int count = split(line, words);
        if (count == 0)
            continue;
        char *statuses = words[0], name[] = "polhode";
        words[0] = name;
        const int ended = run_quietly(count, words, nowhere, messages);
        if (!allows(statuses, ended)) {
            (void)printf("polhode%sended with exit status %d\n", strchr(whole, ' '), ended);
            print_messages(messages);
            status = WRONG;
        }
        done++;
    }
    (void)fclose(lines);
    (void)printf("%d command lines\n", done);
    return status;
}
