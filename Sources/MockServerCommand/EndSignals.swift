import Glibc

/// SIGTERM and SIGINT, which end the program in order.
struct EndSignals {
  private var signals = sigset_t()

  /// Blocks them. To be called before any thread is started, so that only ``wait()`` takes them.
  init() {
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    sigaddset(&signals, SIGINT)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    signal(SIGPIPE, SIG_IGN)
  }

  /// Blocks the thread until one of them arrives.
  func wait() {
    var signals = signals
    var received: Int32 = 0
    sigwait(&signals, &received)
  }
}
