// Loaded before the C library, it moves the time of day by CLINIC_TEST_CLOCK_SHIFT seconds; monotonic time stays.
// With CLINIC_TEST_CLOCK_WHOLE it shows whole seconds only, so that times are equally long when they are written.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static time_t shift(void) {
  const char *text = getenv("CLINIC_TEST_CLOCK_SHIFT");
  return text ? (time_t)strtoll(text, 0, 10) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  static int (*original)(clockid_t, struct timespec *);
  if (!original) original = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int result = original(clock, time);
  if (result == 0 && clock == CLOCK_REALTIME) {
    time->tv_sec += shift();
    if (getenv("CLINIC_TEST_CLOCK_WHOLE")) time->tv_nsec = 0;
  }
  return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  (void)zone;
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
