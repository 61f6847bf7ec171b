import Foundation

/// The terminal while it hands over single keys and shows a screen of its own; whatever ends the process, it is given
/// back as it was.
enum RawMode {
    /// Set once, before a handler can read it, and only read afterwards.
    nonisolated(unsafe) private static var saved: termios?  // signal handlers cannot take a lock
    private static let enterScreen = "\u{1B}[?1049h\u{1B}[?25l"
    private static let leaveScreen: StaticString = "\u{1B}[?25h\u{1B}[?1049l"
    /// What ends a process that has a mistake in it.
    private static let faults = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGQUIT]

    /// Takes the terminal.
    ///
    /// - Throws: `CommandFailure` when it is none.
    static func enter() throws {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { throw CommandFailure("Standard input is not a terminal.") }
        saved = before
        atexit { RawMode.leave() }
        for fault in faults {
            var action = sigaction()
            action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
            action.__sigaction_handler.sa_handler = { signal in
                RawMode.leave()
                raise(signal)
            }
            sigaction(fault, &action, nil)
        }
        var raw = before
        // Signals of keys are off too: Ctrl-Z would leave the terminal as it is now.
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        raw.c_iflag &= ~tcflag_t(IXON)
        // What was typed ahead counts.
        tcsetattr(STDIN_FILENO, TCSADRAIN, &raw)
        StandardStream.output(enterScreen)
    }

    /// Gives the terminal back; also from within a signal handler.
    static func leave() {
        guard var before = saved else { return }
        _ = write(STDOUT_FILENO, leaveScreen.utf8Start, leaveScreen.utf8CodeUnitCount)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &before)
        saved = nil
    }

    /// The terminal's columns and rows; 80 and 24 where it does not say.
    static var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}
