// A disk with faults, preloaded into the service: what it does to the store's data file happens on the way to the kernel.
//
//   CHAOS_DISK     the data directory; only its data.mdb is touched
//   CHAOS_JOURNAL  keeps what a power cut would undo: for every write the bytes that it replaces, until a sync has ended
//   CHAOS_SYNCS    a line for every sync: kind (data or meta), begin and end in ns of CLOCK_MONOTONIC
//   CHAOS_SYNC_MS  milliseconds by which each sync ends late
//   CHAOS_QUOTA    a file of eight bytes: how long the data file may get; beyond it writes end short or with ENOSPC
//
// A write to a file opened with O_DSYNC is a sync of its own range. The journal is written before the data, so that it
// holds whenever the process is killed. It is read by ../unsynced-writes.ts.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define WATCHED 1
#define SYNCHRONOUS 2
#define DESCRIPTORS 65536
#define RECORD_WRITE 1
#define RECORD_DURABLE 2

struct record {
  uint32_t type;
  uint32_t reserved;
  uint64_t offset;
  uint64_t length;
  uint64_t size_before;
  uint64_t bytes; // that follow
};

static unsigned char descriptors[DESCRIPTORS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char data_file[4096];
static int journal = -1;
static int syncs = -1;
static long delay_ms;
static volatile uint64_t *quota;

static int (*real_open)(const char *, int, ...);
static int (*real_close)(int);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_writev)(int, const struct iovec *, int);
static int (*real_ftruncate)(int, off_t);
static int (*real_fdatasync)(int);
static int (*real_fsync)(int);
static int (*real_statfs)(const char *, struct statfs64 *);

static void give_up(const char *what) {
  perror(what);
  abort();
}

static int open_beside(const char *variable, int flags) {
  const char *path = getenv(variable);
  if (path == NULL) return -1;
  int fd = real_open(path, flags | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) give_up(variable);
  return fd;
}

// At the first call, which may come before any constructor has run.
static void begin(void) {
  if (real_statfs != NULL) return;
  real_open = dlsym(RTLD_NEXT, "open64");
  real_close = dlsym(RTLD_NEXT, "close");
  real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
  real_write = dlsym(RTLD_NEXT, "write");
  real_writev = dlsym(RTLD_NEXT, "writev");
  real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
  real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
  real_fsync = dlsym(RTLD_NEXT, "fsync");
  real_statfs = dlsym(RTLD_NEXT, "statfs64");
  const char *directory = getenv("CHAOS_DISK");
  if (directory == NULL) return;
  snprintf(data_file, sizeof data_file, "%s/data.mdb", directory);
  journal = open_beside("CHAOS_JOURNAL", O_WRONLY | O_APPEND);
  syncs = open_beside("CHAOS_SYNCS", O_WRONLY | O_APPEND);
  const char *delay = getenv("CHAOS_SYNC_MS");
  if (delay != NULL) delay_ms = atol(delay);
  int fd = open_beside("CHAOS_QUOTA", O_RDWR);
  if (fd >= 0) {
    quota = mmap(NULL, sizeof *quota, PROT_READ, MAP_SHARED, fd, 0);
    if (quota == MAP_FAILED) give_up("CHAOS_QUOTA");
    real_close(fd);
  }
}

static uint64_t now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static int is(int fd, int flag) {
  begin();
  return fd >= 0 && fd < DESCRIPTORS && (descriptors[fd] & flag) != 0;
}

static uint64_t size_of(int fd) {
  struct stat status;
  if (fstat(fd, &status) != 0) give_up("fstat");
  return (uint64_t)status.st_size;
}

static void keep(uint32_t type, uint64_t offset, uint64_t length, uint64_t size_before, const void *bytes, uint64_t count) {
  struct record record = {type, 0, offset, length, size_before, count};
  struct iovec parts[2] = {{&record, sizeof record}, {(void *)bytes, count}};
  ssize_t whole = (ssize_t)(sizeof record + count);
  if (real_writev(journal, parts, 2) != whole) give_up("the journal");
}

static void keep_replaced(int fd, uint64_t offset, uint64_t length) {
  uint64_t size = size_of(fd);
  uint64_t count = offset >= size ? 0 : size - offset < length ? size - offset : length;
  void *bytes = malloc(count + 1);
  // The descriptor may be one for writing only; another one of the same file can always be opened.
  int reading = real_open(data_file, O_RDONLY | O_CLOEXEC);
  if (reading < 0 || pread(reading, bytes, count, (off_t)offset) != (ssize_t)count) give_up("what a write replaces");
  real_close(reading);
  keep(RECORD_WRITE, offset, length, size, bytes, count);
  free(bytes);
}

static void end_late(const char *kind, uint64_t began) {
  if (delay_ms > 0) {
    struct timespec time = {delay_ms / 1000, (delay_ms % 1000) * 1000000};
    nanosleep(&time, NULL);
  }
  if (syncs < 0) return;
  char line[96];
  int length = snprintf(line, sizeof line, "%s %llu %llu\n", kind, (unsigned long long)began, (unsigned long long)now_ns());
  if (real_write(syncs, line, (size_t)length) != length) give_up("CHAOS_SYNCS");
}

// How much of a write the disk has room for: all, some, or -1 for none.
static ssize_t room_for(int fd, uint64_t offset, size_t length) {
  uint64_t end = offset + length;
  if (quota == NULL || end <= *quota || end <= size_of(fd)) return (ssize_t)length;
  if (offset >= *quota) return -1;
  return (ssize_t)((*quota - offset) & ~(uint64_t)4095) > 0 ? (ssize_t)((*quota - offset) & ~(uint64_t)4095) : -1;
}

static ssize_t write_watched(int fd, const void *bytes, size_t length, uint64_t offset) {
  pthread_mutex_lock(&lock);
  ssize_t written = -1;
  ssize_t room = room_for(fd, offset, length);
  if (room < 0) {
    errno = ENOSPC;
  } else {
    uint64_t began = now_ns();
    if (journal >= 0) keep_replaced(fd, offset, (uint64_t)room);
    written = real_pwrite(fd, bytes, (size_t)room, (off_t)offset);
    if (written > 0 && is(fd, SYNCHRONOUS)) {
      end_late("meta", began);
      if (journal >= 0) keep(RECORD_DURABLE, offset, (uint64_t)written, 0, bytes, (uint64_t)written);
    }
  }
  pthread_mutex_unlock(&lock);
  return written;
}

static int sync_watched(int fd, int (*sync)(int)) {
  pthread_mutex_lock(&lock);
  uint64_t began = now_ns();
  int result = sync(fd);
  if (result == 0) {
    end_late("data", began);
    if (journal >= 0 && real_ftruncate(journal, 0) != 0) give_up("the journal");
  }
  pthread_mutex_unlock(&lock);
  return result;
}

int open64(const char *path, int flags, ...) {
  begin();
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  int fd = real_open(path, flags, mode);
  if (fd >= 0 && fd < DESCRIPTORS)
    descriptors[fd] = data_file[0] == 0 || strcmp(path, data_file) != 0 ? 0
                      : (flags & O_DSYNC) != 0                         ? WATCHED | SYNCHRONOUS
                                                                       : WATCHED;
  return fd;
}

int close(int fd) {
  begin();
  if (fd >= 0 && fd < DESCRIPTORS) descriptors[fd] = 0;
  return real_close(fd);
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off_t offset) {
  if (!is(fd, WATCHED)) return real_pwrite(fd, bytes, length, offset);
  return write_watched(fd, bytes, length, (uint64_t)offset);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  if (!is(fd, WATCHED)) return real_writev(fd, parts, count);
  size_t length = 0;
  for (int at = 0; at < count; at++) length += parts[at].iov_len;
  char *bytes = malloc(length + 1);
  size_t end = 0;
  for (int at = 0; at < count; end += parts[at++].iov_len) memcpy(bytes + end, parts[at].iov_base, parts[at].iov_len);
  ssize_t written = write_watched(fd, bytes, length, (uint64_t)lseek(fd, 0, SEEK_CUR));
  int error = errno;
  free(bytes);
  if (written > 0) lseek(fd, written, SEEK_CUR);
  errno = error;
  return written;
}

ssize_t write(int fd, const void *bytes, size_t length) {
  if (!is(fd, WATCHED)) return real_write(fd, bytes, length);
  struct iovec part = {(void *)bytes, length};
  return writev(fd, &part, 1);
}

int ftruncate64(int fd, off_t length) {
  // The store never shortens its file while it runs; what it adds is empty, and nothing to lose.
  if (is(fd, WATCHED) && (uint64_t)length < size_of(fd)) give_up("the data file is shortened");
  return real_ftruncate(fd, length);
}

int fdatasync(int fd) {
  return is(fd, WATCHED) ? sync_watched(fd, real_fdatasync) : real_fdatasync(fd);
}

int fsync(int fd) {
  return is(fd, WATCHED) ? sync_watched(fd, real_fsync) : real_fsync(fd);
}

// Free space as it is in the quota, for whoever asks about the data directory; nothing else asks.
int statfs64(const char *path, struct statfs64 *status) {
  begin();
  int result = real_statfs(path, status);
  if (result != 0 || quota == NULL) return result;
  struct stat file;
  uint64_t used = stat(data_file, &file) == 0 ? (uint64_t)file.st_size : 0;
  status->f_bavail = status->f_bfree = (*quota > used ? *quota - used : 0) / (uint64_t)status->f_bsize;
  return 0;
}

