#pragma once
#include <curl/curl.h>

// Swift cannot call variadic functions: one wrapper for each type of argument.

typedef size_t (*clinic_curl_data_callback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*clinic_curl_prerequest_callback)(void *context, char *, char *, int, int);

static inline CURLcode clinic_curl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode clinic_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode clinic_curl_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode clinic_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode clinic_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode clinic_curl_set_data_callback(
    CURL *easy, CURLoption option, clinic_curl_data_callback value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode clinic_curl_set_prerequest_callback(CURL *easy, clinic_curl_prerequest_callback value) {
  return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}

static inline CURLMcode clinic_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

static inline CURLcode clinic_curl_get_long(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode clinic_curl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(easy, info, value);
}

/// The result of a transfer that has ended; the union of `CURLMsg` is not imported.
static inline CURLcode clinic_curl_message_result(const CURLMsg *message) { return message->data.result; }
