#pragma once
#include <histedit.h>
#include <locale.h>
#include <stdio.h>

// Swift cannot call variadic functions: one wrapper for each use.

typedef const char *(*clinic_edit_prompt)(EditLine *);
typedef unsigned char (*clinic_edit_function)(EditLine *, int);

// Text is UTF-8. The other categories stay as they are, so that nothing else of the process changes its format.
static inline int clinic_edit_use_utf8(void) {
  return setlocale(LC_CTYPE, "C.UTF-8") || setlocale(LC_CTYPE, "C.utf8") || setlocale(LC_CTYPE, "en_US.UTF-8");
}

static inline EditLine *clinic_edit_init(const char *name, FILE *output) {
  return el_init(name, stdin, output, output);
}

// Between two marks stands what takes no columns.
static inline int clinic_edit_set_prompt(EditLine *edit, clinic_edit_prompt prompt, char mark) {
  return el_set(edit, EL_PROMPT_ESC, prompt, mark);
}

static inline int clinic_edit_set_reader(EditLine *edit, el_rfunc_t reader) {
  return el_set(edit, EL_GETCFN, reader);
}

static inline int clinic_edit_set_context(EditLine *edit, void *context) {
  return el_set(edit, EL_CLIENTDATA, context);
}

static inline void *clinic_edit_context(EditLine *edit) {
  void *context = NULL;
  el_get(edit, EL_CLIENTDATA, &context);
  return context;
}

static inline int clinic_edit_set_editor(EditLine *edit, const char *editor) {
  return el_set(edit, EL_EDITOR, editor);
}

static inline int clinic_edit_set_history(EditLine *edit, History *kept) {
  return el_set(edit, EL_HIST, history, kept);
}

static inline int clinic_edit_add_function(
  EditLine *edit, const char *name, const char *help, clinic_edit_function function) {
  return el_set(edit, EL_ADDFN, name, help, function);
}

static inline int clinic_edit_bind(EditLine *edit, const char *key, const char *function) {
  return el_set(edit, EL_BIND, key, function, NULL);
}

static inline int clinic_edit_refresh(EditLine *edit) {
  return el_set(edit, EL_REFRESH);
}

// Switches between the editor's terminal settings and those from before.
static inline int clinic_edit_prepare_terminal(EditLine *edit, int editing) {
  return el_set(edit, EL_PREP_TERM, editing);
}

static inline int clinic_edit_history_size(History *kept, int size) {
  HistEvent event;
  return history(kept, &event, H_SETSIZE, size);
}

// A line that repeats the one before is not kept again.
static inline int clinic_edit_history_unique(History *kept) {
  HistEvent event;
  return history(kept, &event, H_SETUNIQUE, 1);
}

static inline int clinic_edit_history_add(History *kept, const char *line) {
  HistEvent event;
  return history(kept, &event, H_ENTER, line);
}
