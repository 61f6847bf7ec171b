import Foundation

/// Standard output and standard error, whose readers may go away at any moment.
///
/// Neither is written with `print()`: what is written before a program is killed must be out, also through a pipe. And
/// neither with `FileHandle.write(_:)`, which ends the process with a trap where it cannot write.
enum StandardStream {
    /// Writes on standard output. Where nobody reads it any more, as in `martlet … | head`, the command has nothing left to
    /// do and ends with 0; one that has something to tidy up, and so catches SIGTERM, is told to end by that.
    static func output(_ text: String) { output(Data(text.utf8)) }

    /// The same of bytes, which need not end where a character does.
    static func output(_ bytes: Data) {
        do {
            try FileHandle.standardOutput.write(contentsOf: bytes)
        } catch {
            var action = sigaction()
            sigaction(SIGTERM, nil, &action)
            if action.__sigaction_handler.sa_handler == nil { exit(0) }
            kill(getpid(), SIGTERM)
        }
    }

    /// Writes on standard error; what cannot be written there can be said nowhere, and no server ends of it.
    static func error(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let written = write(STDERR_FILENO, rest.baseAddress, rest.count)
                if written > 0 { rest = UnsafeRawBufferPointer(rebasing: rest[written...]) }
                guard written > 0 || errno == EINTR else { return }
            }
        }
    }
}
