// Loaded before the C library, it lets a disk be full: below the folder CLINIC_TEST_FULL nothing more can be written after
// CLINIC_TEST_FULL_AFTER writes.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long writes;

static int is_full(int descriptor) {
  const char *folder = getenv("CLINIC_TEST_FULL");
  const char *after = getenv("CLINIC_TEST_FULL_AFTER");
  char link[64], path[PATH_MAX];
  if (!folder) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  if (strncmp(path, folder, strlen(folder)) != 0) return 0;
  if (atomic_fetch_add(&writes, 1) < (after ? atol(after) : 0)) return 0;
  errno = ENOSPC;
  return 1;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  static ssize_t (*original)(int, const void *, size_t);
  if (!original) original = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  return is_full(descriptor) ? -1 : original(descriptor, bytes, count);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  static ssize_t (*original)(int, const void *, size_t, off_t);
  if (!original) original = (ssize_t (*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, "pwrite");
  return is_full(descriptor) ? -1 : original(descriptor, bytes, count, offset);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
  static ssize_t (*original)(int, const void *, size_t, off64_t);
  if (!original) original = (ssize_t (*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
  return is_full(descriptor) ? -1 : original(descriptor, bytes, count, offset);
}
