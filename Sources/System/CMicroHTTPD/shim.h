#pragma once
#include <microhttpd.h>
#include <netinet/in.h>

// Swift cannot call variadic functions: one inline function for each call that is needed.

/// Starts a daemon with an array of options that ends with `MHD_OPTION_END`.
static inline struct MHD_Daemon *clinic_mhd_start(unsigned int flags, MHD_AccessHandlerCallback handler, void *context,
                                                  struct MHD_OptionItem *options) {
  return MHD_start_daemon(flags, 0, 0, 0, handler, context, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

/// The port a daemon listens on, or 0.
static inline uint16_t clinic_mhd_port(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info ? info->port : 0;
}
