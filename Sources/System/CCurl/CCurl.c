#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#if defined(__APPLE__)
#define LIBRARY "/usr/lib/libcurl.4.dylib"
#else
#define LIBRARY "libcurl.so.4"
#endif

// The checks of arguments that curl.h makes of these would not see through a pointer.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

#define EACH_FUNCTION(X) \
  X(global_init) \
  X(version_info) \
  X(easy_strerror) \
  X(easy_init) \
  X(easy_cleanup) \
  X(easy_setopt) \
  X(easy_getinfo) \
  X(multi_init) \
  X(multi_cleanup) \
  X(multi_setopt) \
  X(multi_add_handle) \
  X(multi_remove_handle) \
  X(multi_perform) \
  X(multi_poll) \
  X(multi_wakeup) \
  X(multi_info_read) \
  X(slist_append) \
  X(slist_free_all)

// The types are those of curl.h: a declaration that changes there does not compile here.
#define POINTER(name) __typeof__(curl_##name) *name;
static struct {
  EACH_FUNCTION(POINTER)
} curl;

static char failure[512];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    // The loader keeps its words for this thread only.
    const char *words = dlerror();
    snprintf(failure, sizeof failure, "%s", words ? words : LIBRARY " cannot be loaded");
    return;
  }
#define FIND(name) \
  if (!(*(void **)&curl.name = dlsym(library, "curl_" #name))) { \
    snprintf(failure, sizeof failure, LIBRARY " has no curl_" #name); \
    return; \
  }
  EACH_FUNCTION(FIND)
}

const char *clinic_curl_load(void) {
  pthread_once(&once, load);
  return failure[0] ? failure : NULL;
}

CURLcode clinic_curl_global_init(long flags) { return curl.global_init(flags); }

const char *clinic_curl_version(void) { return curl.version_info(CURLVERSION_NOW)->version; }

const char *clinic_curl_easy_strerror(CURLcode code) { return curl.easy_strerror(code); }

CURL *clinic_curl_easy_init(void) { return curl.easy_init(); }

void clinic_curl_easy_cleanup(CURL *easy) { curl.easy_cleanup(easy); }

CURLM *clinic_curl_multi_init(void) { return curl.multi_init(); }

CURLMcode clinic_curl_multi_cleanup(CURLM *multi) { return curl.multi_cleanup(multi); }

CURLMcode clinic_curl_multi_add_handle(CURLM *multi, CURL *easy) { return curl.multi_add_handle(multi, easy); }

CURLMcode clinic_curl_multi_remove_handle(CURLM *multi, CURL *easy) { return curl.multi_remove_handle(multi, easy); }

CURLMcode clinic_curl_multi_perform(CURLM *multi, int *running) { return curl.multi_perform(multi, running); }

CURLMcode clinic_curl_multi_poll(CURLM *multi, int milliseconds) {
  return curl.multi_poll(multi, NULL, 0, milliseconds, NULL);
}

CURLMcode clinic_curl_multi_wakeup(CURLM *multi) { return curl.multi_wakeup(multi); }

CURLMsg *clinic_curl_multi_info_read(CURLM *multi, int *left) { return curl.multi_info_read(multi, left); }

struct curl_slist *clinic_curl_slist_append(struct curl_slist *list, const char *line) {
  return curl.slist_append(list, line);
}

void clinic_curl_slist_free_all(struct curl_slist *list) { curl.slist_free_all(list); }

CURLcode clinic_curl_set_long(CURL *easy, CURLoption option, long value) {
  return curl.easy_setopt(easy, option, value);
}

CURLcode clinic_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return curl.easy_setopt(easy, option, value);
}

CURLcode clinic_curl_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl.easy_setopt(easy, option, value);
}

CURLcode clinic_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl.easy_setopt(easy, option, value);
}

CURLcode clinic_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl.easy_setopt(easy, option, value);
}

CURLcode clinic_curl_set_data_callback(CURL *easy, CURLoption option, clinic_curl_data_callback value) {
  return curl.easy_setopt(easy, option, value);
}

CURLcode clinic_curl_set_prerequest_callback(CURL *easy, clinic_curl_prerequest_callback value) {
  return curl.easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}

CURLMcode clinic_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl.multi_setopt(multi, option, value);
}

CURLcode clinic_curl_get_long(CURL *easy, CURLINFO info, long *value) {
  return curl.easy_getinfo(easy, info, value);
}

CURLcode clinic_curl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
  return curl.easy_getinfo(easy, info, value);
}
