#include "faulty_disk.h"

#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// MARK: What survives

// A change that was not synced: bytes at an offset, or a new length.
typedef struct change {
  struct change *next;
  int64_t offset;
  int64_t count;  // -1: the file was cut to offset
  unsigned char bytes[];
} change;

typedef struct tracked {
  struct tracked *next;
  char *path;
  unsigned char *durable;
  int64_t size, capacity;
  change *first, **end;
} tracked;

typedef struct mount {
  struct mount *next;
  sqlite3_vfs vfs;
  char *name;
  faulty_disk *disk;
  faulty_disk_listener listener;
  void *context;
  int fault;
  int64_t first, left, changes, reads;
  int is_mounted;
} mount;

struct faulty_disk {
  pthread_mutex_t lock;
  int64_t references;
  mount *mounts;
  tracked *files;
};

typedef struct faulty_file {
  sqlite3_file base;
  mount *mount;
  tracked *tracked;
  sqlite3_file *real;
} faulty_file;

static void forget_changes(tracked *file) {
  for (change *next, *c = file->first; c; c = next) {
    next = c->next;
    free(c);
  }
  file->first = NULL;
  file->end = &file->first;
}

static void free_disk(faulty_disk *disk) {
  for (tracked *next, *f = disk->files; f; f = next) {
    next = f->next;
    forget_changes(f);
    free(f->path);
    free(f->durable);
    free(f);
  }
  for (mount *next, *m = disk->mounts; m; m = next) {
    next = m->next;
    if (m->is_mounted) sqlite3_vfs_unregister(&m->vfs);
    free(m->name);
    free(m);
  }
  pthread_mutex_destroy(&disk->lock);
  free(disk);
}

static void let_go(faulty_disk *disk) {
  pthread_mutex_lock(&disk->lock);
  int64_t left = --disk->references;
  pthread_mutex_unlock(&disk->lock);
  if (left == 0) free_disk(disk);
}

static void resize(unsigned char **bytes, int64_t *size, int64_t *capacity, int64_t wanted) {
  if (wanted > *capacity) {
    *capacity = wanted * 2;
    *bytes = realloc(*bytes, (size_t)*capacity);
  }
  if (wanted > *size) memset(*bytes + *size, 0, (size_t)(wanted - *size));
  *size = wanted;
}

static void apply(unsigned char **bytes, int64_t *size, int64_t *capacity, const change *c) {
  if (c->count < 0) return resize(bytes, size, capacity, c->offset);
  if (c->offset + c->count > *size) resize(bytes, size, capacity, c->offset + c->count);
  memcpy(*bytes + c->offset, c->bytes, (size_t)c->count);
}

static void remember(tracked *file, int64_t offset, int64_t count, const void *bytes) {
  change *c = malloc(sizeof(change) + (size_t)(count > 0 ? count : 0));
  c->next = NULL;
  c->offset = offset;
  c->count = count;
  if (count > 0) memcpy(c->bytes, bytes, (size_t)count);
  *file->end = c;
  file->end = &c->next;
}

static void make_durable(tracked *file) {
  for (change *c = file->first; c; c = c->next) apply(&file->durable, &file->size, &file->capacity, c);
  forget_changes(file);
}

// With the lock held.
static tracked *track(faulty_disk *disk, const char *path) {
  for (tracked *f = disk->files; f; f = f->next)
    if (strcmp(f->path, path) == 0) return f;
  tracked *file = calloc(1, sizeof(tracked));
  file->path = strdup(path);
  file->end = &file->first;
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor >= 0) {
    int64_t size = lseek(descriptor, 0, SEEK_END);
    if (size > 0) {
      resize(&file->durable, &file->size, &file->capacity, size);
      if (pread(descriptor, file->durable, (size_t)size, 0) != size) file->size = 0;
    }
    close(descriptor);
  }
  file->next = disk->files;
  disk->files = file;
  return file;
}

// MARK: Faults

// The lock is not held while somebody listens: a disk may be asked or told something meanwhile.
static void tell(mount *m, int event) {
  pthread_mutex_lock(&m->disk->lock);
  faulty_disk_listener listener = m->listener;
  pthread_mutex_unlock(&m->disk->lock);
  if (listener) listener(m->context, event);
}

// Counts a change, and says which fault meets it, and whether it is the first that does.
static int next_fault(mount *m, int *is_first) {
  pthread_mutex_lock(&m->disk->lock);
  m->changes++;
  int fault = FAULTY_DISK_SOUND;
  int begins = 0;
  if (m->fault != FAULTY_DISK_SOUND && m->fault != FAULTY_DISK_UNREADABLE && m->changes >= m->first && m->left != 0) {
    fault = m->fault;
    begins = m->changes == m->first;
    if (m->left > 0) m->left--;
  }
  pthread_mutex_unlock(&m->disk->lock);
  if (is_first) *is_first = begins;
  if (begins) tell(m, fault);
  return fault;
}

static int fails_reading(mount *m) {
  pthread_mutex_lock(&m->disk->lock);
  m->reads++;
  int fails = m->fault == FAULTY_DISK_UNREADABLE && m->reads >= m->first && m->left != 0;
  if (fails && m->left > 0) m->left--;
  pthread_mutex_unlock(&m->disk->lock);
  return fails;
}

static int code(int fault, int when_broken) {
  switch (fault) {
    case FAULTY_DISK_FULL:
    case FAULTY_DISK_SHORT: return SQLITE_FULL;
    case FAULTY_DISK_READ_ONLY: return SQLITE_READONLY;
    default: return when_broken;
  }
}

// MARK: Files

static sqlite3_file *real(sqlite3_file *file) { return ((faulty_file *)file)->real; }

static int write_through(faulty_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  int result = file->real->pMethods->xWrite(file->real, bytes, count, offset);
  if (result == SQLITE_OK && file->tracked) {
    pthread_mutex_lock(&file->mount->disk->lock);
    remember(file->tracked, offset, count, bytes);
    pthread_mutex_unlock(&file->mount->disk->lock);
  }
  return result;
}

static int x_close(sqlite3_file *f) {
  faulty_file *file = (faulty_file *)f;
  int result = file->real->pMethods ? file->real->pMethods->xClose(file->real) : SQLITE_OK;
  let_go(file->mount->disk);
  return result;
}

static int x_read(sqlite3_file *f, void *bytes, int count, sqlite3_int64 offset) {
  if (fails_reading(((faulty_file *)f)->mount)) return SQLITE_IOERR_READ;
  return real(f)->pMethods->xRead(real(f), bytes, count, offset);
}

static int x_write(sqlite3_file *f, const void *bytes, int count, sqlite3_int64 offset) {
  faulty_file *file = (faulty_file *)f;
  int is_first = 0;
  int fault = next_fault(file->mount, &is_first);
  if (fault == FAULTY_DISK_SOUND) return write_through(file, bytes, count, offset);
  int is_half = fault == FAULTY_DISK_SHORT || (fault == FAULTY_DISK_DEAD && is_first);
  if (is_half) write_through(file, bytes, count / 2, offset);
  return code(fault, SQLITE_IOERR_WRITE);
}

static int x_truncate(sqlite3_file *f, sqlite3_int64 size) {
  faulty_file *file = (faulty_file *)f;
  int fault = next_fault(file->mount, NULL);
  if (fault != FAULTY_DISK_SOUND && fault != FAULTY_DISK_FULL && fault != FAULTY_DISK_SHORT)
    return code(fault, SQLITE_IOERR_TRUNCATE);
  int result = file->real->pMethods->xTruncate(file->real, size);
  if (result == SQLITE_OK && file->tracked) {
    pthread_mutex_lock(&file->mount->disk->lock);
    remember(file->tracked, size, -1, NULL);
    pthread_mutex_unlock(&file->mount->disk->lock);
  }
  return result;
}

static int x_sync(sqlite3_file *f, int flags) {
  faulty_file *file = (faulty_file *)f;
  int fault = next_fault(file->mount, NULL);
  if (fault != FAULTY_DISK_SOUND) return fault == FAULTY_DISK_FULL || fault == FAULTY_DISK_SHORT ? SQLITE_FULL : SQLITE_IOERR_FSYNC;
  (void)flags;  // The real file need not be synced: what survives is kept here.
  if (file->tracked) {
    pthread_mutex_lock(&file->mount->disk->lock);
    make_durable(file->tracked);
    pthread_mutex_unlock(&file->mount->disk->lock);
  }
  tell(file->mount, -1);
  return SQLITE_OK;
}

static int x_size(sqlite3_file *f, sqlite3_int64 *size) { return real(f)->pMethods->xFileSize(real(f), size); }
static int x_lock(sqlite3_file *f, int level) { return real(f)->pMethods->xLock(real(f), level); }
static int x_unlock(sqlite3_file *f, int level) { return real(f)->pMethods->xUnlock(real(f), level); }
static int x_reserved(sqlite3_file *f, int *out) { return real(f)->pMethods->xCheckReservedLock(real(f), out); }
static int x_control(sqlite3_file *f, int op, void *argument) {
  // Making room ahead would change a file behind our back.
  if (op == SQLITE_FCNTL_SIZE_HINT || op == SQLITE_FCNTL_CHUNK_SIZE) return SQLITE_OK;
  return real(f)->pMethods->xFileControl(real(f), op, argument);
}
static int x_sector(sqlite3_file *f) { return real(f)->pMethods->xSectorSize(real(f)); }
static int x_traits(sqlite3_file *f) { return real(f)->pMethods->xDeviceCharacteristics(real(f)); }
static int x_map(sqlite3_file *f, int page, int size, int extend, void volatile **out) {
  return real(f)->pMethods->xShmMap(real(f), page, size, extend, out);
}
static int x_shm_lock(sqlite3_file *f, int offset, int count, int flags) {
  return real(f)->pMethods->xShmLock(real(f), offset, count, flags);
}
static void x_barrier(sqlite3_file *f) { real(f)->pMethods->xShmBarrier(real(f)); }
static int x_unmap(sqlite3_file *f, int deletes) { return real(f)->pMethods->xShmUnmap(real(f), deletes); }

// Version 2 leaves out memory mapping of the database: every change comes by here.
static const sqlite3_io_methods methods = {
  2, x_close, x_read, x_write, x_truncate, x_sync, x_size, x_lock, x_unlock, x_reserved, x_control, x_sector, x_traits,
  x_map, x_shm_lock, x_barrier, x_unmap, NULL, NULL,
};

// MARK: The file system

static mount *of(sqlite3_vfs *vfs) { return (mount *)vfs->pAppData; }
static sqlite3_vfs *below(void) { return sqlite3_vfs_find("unix"); }

static int x_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *f, int flags, int *out) {
  faulty_file *file = (faulty_file *)f;
  mount *m = of(vfs);
  memset(file, 0, sizeof(*file));
  file->mount = m;
  file->real = (sqlite3_file *)(file + 1);
  pthread_mutex_lock(&m->disk->lock);
  int fault = m->changes + 1 >= m->first && m->left != 0 ? m->fault : FAULTY_DISK_SOUND;
  // Who opens a file does not die of it yet.
  if (fault == FAULTY_DISK_DEAD && m->changes < m->first) fault = FAULTY_DISK_SOUND;
  pthread_mutex_unlock(&m->disk->lock);
  if (fault == FAULTY_DISK_READ_ONLY) {
    if (flags & SQLITE_OPEN_CREATE && !(flags & SQLITE_OPEN_MAIN_DB)) return SQLITE_CANTOPEN;
    flags = (flags & ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)) | SQLITE_OPEN_READONLY;
  }
  if (fault == FAULTY_DISK_DEAD) return SQLITE_CANTOPEN;
  int result = below()->xOpen(below(), name, file->real, flags, out);
  if (result != SQLITE_OK) return result;
  pthread_mutex_lock(&m->disk->lock);
  if (name && !(flags & SQLITE_OPEN_DELETEONCLOSE)) file->tracked = track(m->disk, name);
  m->disk->references++;
  pthread_mutex_unlock(&m->disk->lock);
  f->pMethods = &methods;
  return SQLITE_OK;
}

static int x_delete(sqlite3_vfs *vfs, const char *name, int syncs) {
  mount *m = of(vfs);
  int fault = next_fault(m, NULL);
  if (fault != FAULTY_DISK_SOUND && fault != FAULTY_DISK_FULL && fault != FAULTY_DISK_SHORT) return code(fault, SQLITE_IOERR_DELETE);
  int result = below()->xDelete(below(), name, syncs);
  if (result != SQLITE_OK) return result;
  pthread_mutex_lock(&m->disk->lock);
  for (tracked *f = m->disk->files; f; f = f->next)
    if (strcmp(f->path, name) == 0) {
      // Who has it open may still use it: it stays in the list, under no name.
      f->path[0] = 0;
    }
  pthread_mutex_unlock(&m->disk->lock);
  return result;
}

static int x_access(sqlite3_vfs *vfs, const char *name, int flags, int *out) {
  (void)vfs;
  return below()->xAccess(below(), name, flags, out);
}
static int x_full(sqlite3_vfs *vfs, const char *name, int count, char *out) {
  (void)vfs;
  return below()->xFullPathname(below(), name, count, out);
}
static int x_random(sqlite3_vfs *vfs, int count, char *out) {
  (void)vfs;
  return below()->xRandomness(below(), count, out);
}
static int x_sleep(sqlite3_vfs *vfs, int microseconds) {
  (void)vfs;
  return below()->xSleep(below(), microseconds);
}
static int x_time(sqlite3_vfs *vfs, double *out) {
  (void)vfs;
  return below()->xCurrentTime(below(), out);
}
static int x_error(sqlite3_vfs *vfs, int count, char *out) {
  (void)vfs;
  return below()->xGetLastError ? below()->xGetLastError(below(), count, out) : 0;
}

// MARK: Disks

faulty_disk *faulty_disk_make(void) {
  faulty_disk *disk = calloc(1, sizeof(faulty_disk));
  pthread_mutex_init(&disk->lock, NULL);
  disk->references = 1;
  return disk;
}

void faulty_disk_release(faulty_disk *disk) { let_go(disk); }

int faulty_disk_mount(faulty_disk *disk, const char *name, faulty_disk_listener listener, void *context) {
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  sqlite3_initialize();
  mount *m = calloc(1, sizeof(mount));
  m->disk = disk;
  m->name = strdup(name);
  m->listener = listener;
  m->context = context;
  m->vfs = (sqlite3_vfs){
    .iVersion = 1, .szOsFile = (int)sizeof(faulty_file) + below()->szOsFile, .mxPathname = below()->mxPathname, .zName = m->name,
    .pAppData = m, .xOpen = x_open, .xDelete = x_delete, .xAccess = x_access, .xFullPathname = x_full, .xRandomness = x_random,
    .xSleep = x_sleep, .xCurrentTime = x_time, .xGetLastError = x_error,
  };
  pthread_mutex_lock(&disk->lock);
  m->next = disk->mounts;
  disk->mounts = m;
  m->is_mounted = 1;
  pthread_mutex_unlock(&disk->lock);
  return sqlite3_vfs_register(&m->vfs, 0);
}

// With the lock held.
static mount *find(faulty_disk *disk, const char *name) {
  for (mount *m = disk->mounts; m; m = m->next)
    if (strcmp(m->name, name) == 0) return m;
  return NULL;
}

void faulty_disk_unmount(faulty_disk *disk, const char *name) {
  pthread_mutex_lock(&disk->lock);
  mount *m = find(disk, name);
  int was = m && m->is_mounted;
  if (m) {
    m->is_mounted = 0;
    m->listener = NULL;
  }
  pthread_mutex_unlock(&disk->lock);
  if (was) sqlite3_vfs_unregister(&m->vfs);
}

void faulty_disk_plan(faulty_disk *disk, const char *name, int fault, int64_t first, int64_t count) {
  pthread_mutex_lock(&disk->lock);
  mount *m = find(disk, name);
  if (m) {
    m->fault = fault;
    m->first = (fault == FAULTY_DISK_UNREADABLE ? m->reads : m->changes) + first;
    m->left = count;
  }
  pthread_mutex_unlock(&disk->lock);
}

int64_t faulty_disk_changes(faulty_disk *disk, const char *name) {
  pthread_mutex_lock(&disk->lock);
  mount *m = find(disk, name);
  int64_t changes = m ? m->changes : 0;
  pthread_mutex_unlock(&disk->lock);
  return changes;
}

int64_t faulty_disk_reads(faulty_disk *disk, const char *name) {
  pthread_mutex_lock(&disk->lock);
  mount *m = find(disk, name);
  int64_t reads = m ? m->reads : 0;
  pthread_mutex_unlock(&disk->lock);
  return reads;
}

static uint64_t draw(uint64_t *state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

// What of a change survives: nothing, all, or some of its sectors. Gives whether anything is lost.
static int survive(unsigned char **bytes, int64_t *size, int64_t *capacity, change *c, uint64_t keeps, uint64_t *state) {
  uint64_t luck = draw(state) % 100;
  if (luck < keeps) {
    apply(bytes, size, capacity, c);
    return 0;
  }
  if (c->count < 0 || luck % 2 == 0) return 1;
  for (int64_t at = 0; at < c->count;) {
    int64_t end = ((c->offset + at) / 512 + 1) * 512 - c->offset;
    if (end > c->count) end = c->count;
    if (draw(state) % 2) {
      if (c->offset + end > *size) resize(bytes, size, capacity, c->offset + end);
      memcpy(*bytes + c->offset + at, c->bytes + at, (size_t)(end - at));
    }
    at = end;
  }
  return 1;
}

static int put(const char *path, const unsigned char *bytes, int64_t size) {
  int descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (descriptor < 0) return -1;
  int64_t written = size > 0 ? pwrite(descriptor, bytes, (size_t)size, 0) : 0;
  close(descriptor);
  return written == size ? 0 : -1;
}

// By name, so that luck does not depend on the order in which files were opened.
static int by_path(const void *a, const void *b) { return strcmp((*(tracked *const *)a)->path, (*(tracked *const *)b)->path); }

int64_t faulty_disk_cut(faulty_disk *disk, const char *from, const char *to, uint64_t seed) {
  uint64_t state = seed;
  uint64_t keeps = (uint64_t[]){0, 30, 60, 90}[draw(&state) % 4];
  int64_t lost = 0;
  pthread_mutex_lock(&disk->lock);
  int count = 0;
  for (tracked *f = disk->files; f; f = f->next) count++;
  tracked **files = calloc((size_t)count + 1, sizeof(tracked *));
  count = 0;
  size_t length = strlen(from);
  for (tracked *f = disk->files; f; f = f->next)
    if (strncmp(f->path, from, length) == 0 && f->path[length] == '/') files[count++] = f;
  qsort(files, (size_t)count, sizeof(tracked *), by_path);
  for (int i = 0; i < count && lost >= 0; i++) {
    tracked *f = files[i];
    int64_t size = f->size, capacity = f->size + 1;
    unsigned char *bytes = malloc((size_t)capacity);
    if (size > 0) memcpy(bytes, f->durable, (size_t)size);
    for (change *c = f->first; c; c = c->next) lost += survive(&bytes, &size, &capacity, c, keeps, &state);
    char path[4096];
    snprintf(path, sizeof(path), "%s%s", to, f->path + length);
    if (put(path, bytes, size) != 0) lost = -1;
    free(bytes);
    f->path[0] = 0;
  }
  free(files);
  pthread_mutex_unlock(&disk->lock);
  return lost;
}
