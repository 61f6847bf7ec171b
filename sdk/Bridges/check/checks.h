/* What the example programs are checked with, in C, C++ and Objective-C. */
#ifndef CHECKS_H
#define CHECKS_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "PushHooks.h"

static int checksPassed = 0, checksFailed = 0;

/* Prints the counts; the program's exit status. */
static int checksFinish(void) {
    printf("%d passed, %d failed\n", checksPassed, checksFailed);
    fflush(stdout);
    return checksFailed == 0 && checksPassed > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Counts a fact; a false one is printed with its place. */
#define CHECK(fact)                                                        \
    do {                                                                   \
        if (fact) {                                                        \
            checksPassed++;                                                \
        } else {                                                           \
            checksFailed++;                                                \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #fact); \
        }                                                                  \
    } while (0)

/* Serves the main queue until the fact holds, for 10 seconds at most. What follows needs it: without it all ends. */
#define CHECK_SOON(fact)                                                   \
    do {                                                                   \
        time_t checksEnd = time(NULL) + 10;                                \
        while (!(fact) && time(NULL) < checksEnd) PushHooks_ServeMainQueue(); \
        CHECK(fact);                                                       \
        if (!(fact)) exit(checksFinish());                                 \
    } while (0)

#endif
