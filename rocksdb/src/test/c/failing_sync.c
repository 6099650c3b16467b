/* Loaded before the C library: every sync fails as long as the file named by FAIL_SYNC_WHILE is there. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static int failing(void) {
  const char *file = getenv("FAIL_SYNC_WHILE");
  return file != NULL && access(file, F_OK) == 0;
}

static int sync_by(const char *name, int fd) {
  if (failing()) {
    errno = EIO;
    return -1;
  }
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  return real(fd);
}

int fsync(int fd) { return sync_by("fsync", fd); }

int fdatasync(int fd) { return sync_by("fdatasync", fd); }
