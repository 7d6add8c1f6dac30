/*
 * Faults of the machine under one process, switched by files in $FAULTS_DIR (ld.so(8), LD_PRELOAD):
 *   clock   seconds that are added to the time of the day
 *   dns     no name is resolved
 *   slow    milliseconds that each flush to the disk takes longer
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long setting(const char *name) {
  const char *directory = getenv("FAULTS_DIR");
  char path[4096], text[32];
  if (!directory) return 0;
  snprintf(path, sizeof path, "%s/%s", directory, name);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  text[length > 0 ? length : 0] = 0;
  return atol(text);
}

/* The clock is read often, and its file once in a while. */
static long clock_offset(long now) {
  static volatile long read_at = -1, offset = 0;
  if (now != read_at) {
    read_at = now;
    offset = setting("clock");
  }
  return offset;
}

int clock_gettime(clockid_t id, struct timespec *time) {
  static int (*next)(clockid_t, struct timespec *);
  if (!next) next = dlsym(RTLD_NEXT, "clock_gettime");
  int result = next(id, time);
  if (result == 0 && id == CLOCK_REALTIME) time->tv_sec += clock_offset(time->tv_sec);
  return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  static int (*next)(struct timeval *, void *);
  if (!next) next = dlsym(RTLD_NEXT, "gettimeofday");
  int result = next(time, zone);
  if (result == 0) time->tv_sec += clock_offset(time->tv_sec);
  return result;
}

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
  static int (*next)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
  if (!next) next = dlsym(RTLD_NEXT, "getaddrinfo");
  if (setting("dns")) return EAI_AGAIN;
  return next(node, service, hints, found);
}

static void wait_for_disk(void) {
  long milliseconds = setting("slow");
  if (milliseconds > 0) usleep(milliseconds * 1000);
}

int fsync(int file) {
  static int (*next)(int);
  if (!next) next = dlsym(RTLD_NEXT, "fsync");
  wait_for_disk();
  return next(file);
}

int fdatasync(int file) {
  static int (*next)(int);
  if (!next) next = dlsym(RTLD_NEXT, "fdatasync");
  wait_for_disk();
  return next(file);
}
