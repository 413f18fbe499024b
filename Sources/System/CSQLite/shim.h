// SQLite's public header, and inline stand-ins for what Swift cannot import (variadic calls, cast macros).
#pragma once
#include <sqlite3.h>

/// SQLITE_TRANSIENT: SQLite copies the bytes before the call returns.
static inline int clinic_sqlite3_bind_text(sqlite3_stmt *s, int i, const char *p, sqlite3_uint64 n) {
  return sqlite3_bind_text64(s, i, p, n, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// SQLITE_TRANSIENT: SQLite copies the bytes before the call returns.
static inline int clinic_sqlite3_bind_blob(sqlite3_stmt *s, int i, const void *p, sqlite3_uint64 n) {
  return sqlite3_bind_blob64(s, i, p, n, SQLITE_TRANSIENT);
}

/// `sqlite3_db_config` for the options that take a flag.
static inline int clinic_sqlite3_db_config_flag(sqlite3 *db, int option, int on) {
  return sqlite3_db_config(db, option, on, (int *)0);
}

/// Counting memory takes a lock that all threads share, and nobody asks for the count (sqlite.org/compile.html,
/// "SQLITE_DEFAULT_MEMSTATUS"). To be called before anything else; later it changes nothing.
static inline int clinic_sqlite3_count_no_memory(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
