#pragma once
#include <stdlib.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

// All threads share one heap. glibc gives each thread a heap of its own, which grows by a system call every few
// kilobytes; threads that wait for each other nearly all the time gain nothing from that. To be called before there are
// threads.
static inline void clinic_process_share_heap(void) {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, 1);
#endif
}

extern char **environ;

// The environment, as NAME=value, up to a null pointer. To be read before there are threads.
static inline char **clinic_process_environment(void) {
  return environ;
}
