// A disk below SQLite that fails when it is told to, and that loses in a power cut what was not synced.
//
// A disk has mounts: each is a virtual file system of SQLite with a name and a plan of its own, as a process sees the disk. Files are the
// real ones; beside them the disk remembers what of them would survive. All calls may come from any thread.
#pragma once
#include <stdint.h>

typedef struct faulty_disk faulty_disk;

enum {
  FAULTY_DISK_SOUND = 0,
  FAULTY_DISK_FULL = 1,        // no space: nothing of a write is written
  FAULTY_DISK_SHORT = 2,       // no space: half of a write is written
  FAULTY_DISK_BROKEN = 3,      // input/output error
  FAULTY_DISK_READ_ONLY = 4,   // mounted read-only
  FAULTY_DISK_DEAD = 5,        // the process dies in the middle of a write, and nothing of it moves any more
  FAULTY_DISK_UNREADABLE = 6,  // input/output error on reading; reads are counted
};

// Called when a planned fault begins to act (event = the fault), and after every sync (event = -1).
typedef void (*faulty_disk_listener)(void *context, int event);

faulty_disk *faulty_disk_make(void);
// The disk goes when its last file is closed.
void faulty_disk_release(faulty_disk *disk);

// Registers a virtual file system. The name is copied. Returns an SQLite result code.
int faulty_disk_mount(faulty_disk *disk, const char *name, faulty_disk_listener listener, void *context);
void faulty_disk_unmount(faulty_disk *disk, const char *name);

// The fault acts on changes first, first + 1, … counted from now, starting with 1; count < 0: on all from then on.
void faulty_disk_plan(faulty_disk *disk, const char *name, int fault, int64_t first, int64_t count);
// Writes, truncations, syncs and deletions through a mount so far.
int64_t faulty_disk_changes(faulty_disk *disk, const char *name);
int64_t faulty_disk_reads(faulty_disk *disk, const char *name);

// Writes what would be left of the files below a folder after a power cut into another folder. What was synced is there; of what was not,
// the seed decides, 512 bytes by 512 bytes. Returns the number of changes that were lost at least in part, or -1.
int64_t faulty_disk_cut(faulty_disk *disk, const char *from, const char *to, uint64_t seed);
