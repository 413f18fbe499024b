import Foundation

/// A thread of its own for a C library that wants to block. Everything else runs as tasks.
enum DedicatedThread {
  /// Runs the body on a new thread, which ends with it.
  ///
  /// Signals are blocked there, so that a write to a closed connection is an error and not the end of the process, and
  /// so that signals meant for the process interrupt the threads that expect them.
  static func start(name: String, _ body: @escaping @Sendable () -> Void) {
    let thread = Thread {
      var signals = sigset_t()
      sigfillset(&signals)
      for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP] { sigdelset(&signals, fault) }
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      body()
    }
    thread.name = name
    thread.start()
  }
}
