#pragma once
#include <curl/curl.h>

// libcurl, loaded when it is first needed. It brings some thirty libraries with it, which cost every start of a program
// that is linked with it more than all else together, and most lines at a prompt need no network.
//
// Nothing but clinic_curl_load may be called before that has succeeded.

/// Loads libcurl, once for all threads.
///
/// Returns NULL on success, or the loader's words.
const char *clinic_curl_load(void);

CURLcode clinic_curl_global_init(long flags);
const char *clinic_curl_version(void);
const char *clinic_curl_easy_strerror(CURLcode code);

CURL *clinic_curl_easy_init(void);
void clinic_curl_easy_cleanup(CURL *easy);

CURLM *clinic_curl_multi_init(void);
CURLMcode clinic_curl_multi_cleanup(CURLM *multi);
CURLMcode clinic_curl_multi_add_handle(CURLM *multi, CURL *easy);
CURLMcode clinic_curl_multi_remove_handle(CURLM *multi, CURL *easy);
CURLMcode clinic_curl_multi_perform(CURLM *multi, int *running);
CURLMcode clinic_curl_multi_poll(CURLM *multi, int milliseconds);
CURLMcode clinic_curl_multi_wakeup(CURLM *multi);
CURLMsg *clinic_curl_multi_info_read(CURLM *multi, int *left);

struct curl_slist *clinic_curl_slist_append(struct curl_slist *list, const char *line);
void clinic_curl_slist_free_all(struct curl_slist *list);

// Swift cannot call variadic functions: one wrapper for each type of argument.

typedef size_t (*clinic_curl_data_callback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*clinic_curl_prerequest_callback)(void *context, char *, char *, int, int);

CURLcode clinic_curl_set_long(CURL *easy, CURLoption option, long value);
CURLcode clinic_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value);
CURLcode clinic_curl_set_string(CURL *easy, CURLoption option, const char *value);
CURLcode clinic_curl_set_pointer(CURL *easy, CURLoption option, void *value);
CURLcode clinic_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value);
CURLcode clinic_curl_set_data_callback(CURL *easy, CURLoption option, clinic_curl_data_callback value);
CURLcode clinic_curl_set_prerequest_callback(CURL *easy, clinic_curl_prerequest_callback value);
CURLMcode clinic_curl_multi_set_long(CURLM *multi, CURLMoption option, long value);
CURLcode clinic_curl_get_long(CURL *easy, CURLINFO info, long *value);
CURLcode clinic_curl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value);

/// The result of a transfer that has ended; the union of `CURLMsg` is not imported.
static inline CURLcode clinic_curl_message_result(const CURLMsg *message) { return message->data.result; }
