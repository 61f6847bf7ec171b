// A clock of the day that the fault suite can set for the processes that this is loaded into: the machine's, and what the
// file that MARTLET_CLOCK names says, eight bytes with so many seconds. The monotonic clocks are the machine's, and so are
// timers, which the program and its libraries set on those. (libfaketime moves timers of the monotonic clock too.)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile long *offset;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("MARTLET_CLOCK");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *page = mmap(0, sizeof(long), PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (page != MAP_FAILED) offset = page;
}

static long seconds(void) { return offset ? *offset : 0; }

int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*next)(clockid_t, struct timespec *);
    if (!next) next = dlsym(RTLD_NEXT, "clock_gettime");
    int status = next(clock, time);
    if (status == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += seconds();
    return status;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *result) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result) *result = now.tv_sec;
    return now.tv_sec;
}

// Waits until a moment of the clock of the day: idle threads of libdispatch do.
int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict end) {
    static int (*next)(sem_t *, const struct timespec *);
    if (!next) next = dlsym(RTLD_NEXT, "sem_timedwait");
    struct timespec real = {end->tv_sec - seconds(), end->tv_nsec};
    return next(semaphore, &real);
}
