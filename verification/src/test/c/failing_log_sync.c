/*
 * Loaded before the C library: syncs of files named *.log fail with EIO from the call behind FAIL_LOG_SYNC_AFTER on.
 * What was written stays in the system's memory, as it does on a disk that fails.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long calls;

static int is_log(int fd) {
  char link[64];
  char path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path);
  return length > 4 && memcmp(path + length - 4, ".log", 4) == 0;
}

static int sync_by(const char *name, int fd) {
  const char *after = getenv("FAIL_LOG_SYNC_AFTER");
  if (after != NULL && is_log(fd) && __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST) > atol(after)) {
    errno = EIO;
    return -1;
  }
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  return real(fd);
}

int fsync(int fd) { return sync_by("fsync", fd); }

int fdatasync(int fd) { return sync_by("fdatasync", fd); }
