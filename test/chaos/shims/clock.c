// A machine whose wall clock is set while the service runs, preloaded into it: CHAOS_CLOCK is a file of eight bytes, the
// nanoseconds by which the wall clock is off. The monotonic clock stays as it is, as it does on a real machine.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int (*real_clock_gettime)(clockid_t, struct timespec *);
static volatile int64_t *offset;

static void begin(void) {
  if (real_clock_gettime != NULL) return;
  real_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
  const char *path = getenv("CHAOS_CLOCK");
  if (path == NULL) return;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  void *mapped = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, fd, 0);
  if (mapped == MAP_FAILED) {
    perror("CHAOS_CLOCK");
    abort();
  }
  close(fd);
  offset = mapped;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  begin();
  int result = real_clock_gettime(clock, time);
  if (result != 0 || offset == NULL || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)) return result;
  int64_t set = (int64_t)time->tv_sec * 1000000000 + time->tv_nsec + *offset;
  time->tv_sec = set / 1000000000;
  time->tv_nsec = set % 1000000000;
  return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  (void)zone;
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *result) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (result != NULL) *result = now.tv_sec;
  return now.tv_sec;
}
