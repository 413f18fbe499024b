import Domain
import Foundation
import Synchronization

/// A prompt with editing, history and completion (libedit), on a thread of its own.
///
/// Others talk to that thread through its mailbox only, so what is said while a line is being typed appears above it.
nonisolated final class LineEditor: LinePrompt {
  /// What could follow the text before the cursor.
  typealias Completer = @Sendable (String) async -> LineCompletion

  private let mailbox = EditorMailbox()
  private let lastRead = Atomic(0)

  /// - Parameters:
  ///   - history: The lines of earlier sessions, where they are kept.
  ///   - completer: Asked when the tab key is hit.
  ///   - movesInPlace: Whether what stands on the screen may be drawn anew.
  init(history: HistoryFile?, movesInPlace: Bool, completer: @escaping Completer) {
    let thread = Thread { [mailbox] in
      EditorThread(mailbox: mailbox, history: history, movesInPlace: movesInPlace, completer: completer).run()
    }
    thread.name = "prompt"
    thread.start()
  }

  func line(_ prompt: PromptText) async throws(AppError) -> [UInt8]? {
    let id = lastRead.add(1, ordering: .relaxed).newValue
    return await withTaskCancellationHandler {
      await withCheckedContinuation { mailbox.post(.read(id: id, prompt, $0)) }
    } onCancel: {
      mailbox.post(.cancel(id: id))
    }
  }

  func say(_ text: String) { mailbox.post(.say(text)) }
  func change(_ prompt: PromptText) { mailbox.post(.change(prompt)) }

  /// The terminal has another size.
  func resize() { mailbox.post(.resize) }
  /// The process is to stop until it is continued.
  func suspend() { mailbox.post(.suspend) }

  func end() async {
    await withCheckedContinuation { mailbox.post(.end($0)) }
  }
}
