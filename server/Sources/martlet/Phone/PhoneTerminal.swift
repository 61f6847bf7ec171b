import ArgumentParser
import Foundation

/// The last of what happened, as lines.
@MainActor
final class PhoneLog {
    /// The lines, the oldest first.
    private(set) var lines: [String] = []
    /// Called after each.
    var changed: @MainActor () -> Void = {}

    /// Lines that are kept: more than a terminal has.
    private static let limit = 500

    /// Adds an event.
    func add(_ event: SessionEvent) {
        lines.append(PhoneLines.line(event))
        if lines.count > Self.limit { lines.removeFirst() }
        changed()
    }
}

/// The phones on a terminal, driven by single keys.
@MainActor
final class PhoneTerminal {
    /// What is being typed at the bottom.
    private struct Prompt {
        var label: String
        var text = ""
        /// What comes of it.
        var line: (String) -> String
    }

    private let phones: Phones
    private let inputs: PhoneInputs
    private let title: String
    private let orders: AsyncStream<PhoneOrder.Line>.Continuation
    private let doer: Task<Void, Never>
    private var entry = 1
    private var prompt: Prompt?
    private var status = "switching the phones on …"
    private let log: PhoneLog

    /// Orders that wait while one is under way: more than anybody types.
    private static let bound = 200
    static let help = [
        "←→ phone", "↑↓ notification", "Enter tap", "1-4 button", "d dismiss", "c clear", "o open", "h home", "l lock",
        "k kill", "s swipe away", "a airplane", "u log in", "x log out", "i notices", "g settings", "e archive",
        "m all read", "y/n system's switch", "Esc back", ": order", "q quit",
    ]

    init(_ phones: Phones, _ inputs: PhoneInputs, log: PhoneLog, title: String) {
        self.phones = phones
        self.inputs = inputs
        self.log = log
        self.title = title
        let (stream, continuation) = AsyncStream.makeStream(
            of: PhoneOrder.Line.self,
            bufferingPolicy: .bufferingOldest(Self.bound)
        )
        orders = continuation
        doer = Task {
            for await line in stream {
                do throws(PhoneOrder.Wrong) {
                    try await phones.perform(line)
                    inputs.yield(.done(nil))
                } catch {
                    inputs.yield(.done(error))
                }
            }
        }
    }

    /// Switches the phones on, then draws and obeys until a key or a signal ends it; then they are off.
    ///
    /// - Throws: `ExitCode` after a signal.
    func run(allows: Bool?) async throws {
        log.changed = { [inputs] in inputs.yield(.changed) }
        Task {
            await phones.begin(allows: allows)
            status = ""
            inputs.yield(.changed)
        }
        let signal = await obey()
        status = "switching the phones off …"
        draw()
        await phones.end()
        if let signal { throw ExitCode(128 + signal) }
    }

    /// - Returns: the signal that ended it; `nil` when the person did.
    private func obey() async -> Int32? {
        let resized = DispatchSource.makeSignalSource(signal: SIGWINCH, queue: .global())
        resized.setEventHandler { [inputs] in inputs.yield(.changed) }
        resized.resume()
        defer {
            resized.cancel()
            doer.cancel()
        }
        draw()
        for await input in inputs.stream {
            switch input {
            case .keys(let bytes):
                for key in PhoneKey.read(bytes) where press(key) { return nil }
            case .done(let wrong): status = wrong.map { "\($0.message) \($0.hint)" } ?? status
            case .end: return nil
            case .signal(let signal): return signal
            case .changed, .line: break
            }
            draw()
        }
        return nil
    }

    // MARK: Keys

    /// - Returns: whether that was the end.
    private func press(_ key: PhoneKey) -> Bool {
        if key == .interrupted { return true }
        guard prompt == nil else { return type(key) }
        status = ""
        switch key {
        case .left: move(-1)
        case .right, .tab: move(1)
        case .up: entry = max(1, entry - 1)
        case .down: entry = min(max(1, phones.screen.rows), entry + 1)
        case .enter: choose()
        case .escape where phones.screen.view != nil: act("back")
        case .text("q"): return true
        case .text(":"): prompt = Prompt(label: "order: ") { $0 }
        case .text("u"): prompt = Prompt(label: "log in as: ") { "login \($0)" }
        case .text(let character): letter(character)
        case .backspace, .escape, .interrupted: break
        }
        return false
    }

    /// The selected line of what is open: a notification is tapped, a notice opened, a switch turned.
    private func choose() {
        let screen = phones.screen
        switch screen.view {
        case nil: act("tap \(entry)")
        case .notices: act("read \(entry)")
        case .settings:
            guard let one = screen.settings?.switches.dropFirst(entry - 1).first else { return }
            orders.yield(PhoneOrder.Line(phone: screen.phone, order: one.turn))
        }
    }

    private func letter(_ character: Character) {
        let screen = phones.screen
        let plain: [Character: String] = [
            "t": "tap \(entry)", "d": "dismiss \(entry)", "c": "clear", "o": "open", "h": "home", "k": "kill",
            "s": "swipe", "x": "logout", "l": screen.isLocked ? "unlock" : "lock",
            "a": screen.isOnline ? "offline" : "online", "y": "allow", "n": "deny", "e": "archive \(entry)",
            "m": "read all", "i": "notices", "g": "settings",
        ]
        if let order = plain[character] {
            act(order)
            return
        }
        guard let number = character.wholeNumberValue, number > 0 else {
            return status = "No key '\(character)'. The keys are below; ':' takes an order such as 'link game://x'."
        }
        guard screen.notifications.indices.contains(entry - 1),
            let button = screen.notifications[entry - 1].buttons.dropFirst(number - 1).first
        else { return status = "The notification has no button \(number)." }
        orders.yield(PhoneOrder.Line(phone: screen.phone, order: .press(button.id, on: entry, text: nil)))
    }

    private func type(_ key: PhoneKey) -> Bool {
        guard var typed = prompt else { return false }
        switch key {
        case .text(let character): typed.text.append(character)
        case .backspace: _ = typed.text.popLast()
        case .escape:
            prompt = nil
            return false
        case .enter:
            prompt = nil
            return typed.text.isEmpty ? false : act(typed.line(typed.text))
        case .up, .down, .left, .right, .tab, .interrupted: return false
        }
        prompt = typed
        return false
    }

    private func move(_ step: Int) {
        phones.move(by: step)
        entry = 1
    }

    /// - Returns: whether that was the end.
    @discardableResult
    private func act(_ text: String) -> Bool {
        do throws(PhoneOrder.Wrong) {
            guard let line = try PhoneOrder.read(text) else { return false }
            switch line.order {
            case .quit: return true
            case .help: status = PhoneOrder.all.map(\.form).joined(separator: " · ")
            case .show: break
            // The phone that is selected now, whatever is selected when its turn comes.
            default: orders.yield(PhoneOrder.Line(phone: line.phone ?? phones.selected, order: line.order))
            }
        } catch {
            status = "\(error.message) \(error.hint)"
        }
        return false
    }

    // MARK: Drawing

    private func draw() {
        let (columns, rows) = RawMode.size
        entry = min(entry, max(1, phones.screen.rows))
        let wall = PhoneWall(
            screens: phones.screens,
            selected: phones.selected,
            entry: entry,
            width: columns,
            isStyled: true
        )
        let bottom = [bottomLine] + Self.wrapped(Self.help, to: columns)
        let top = [TextWidth.fitted(title, to: columns), ""] + wall.lines + [""]
        let room = max(0, rows - top.count - bottom.count)
        let said = log.lines.suffix(room).map { TextWidth.fitted($0, to: columns) }
        let gap = Array(repeating: "", count: max(0, room - said.count))
        // Where the terminal is too low, the keys stay and the phones are cut.
        let lines = (top + said + gap).prefix(max(0, rows - bottom.count)) + bottom.suffix(rows)
        let text = lines.map { $0 + "\u{1B}[K" }.joined(separator: "\n")
        StandardStream.output("\u{1B}[H" + text + "\u{1B}[J")
    }

    private var bottomLine: String {
        let text = prompt.map { "\($0.label)\($0.text)▏" } ?? status
        return TextWidth.fitted(TextWidth.printable(text), to: RawMode.size.columns)
    }

    /// The words on as few lines as there is room for.
    private static func wrapped(_ words: [String], to width: Int) -> [String] {
        var lines = [""]
        for word in words {
            let last = lines[lines.count - 1]
            let longer = last.isEmpty ? word : last + "  " + word
            if last.isEmpty || TextWidth.columns(of: longer) <= width {
                lines[lines.count - 1] = longer
            } else {
                lines.append(word)
            }
        }
        return lines.map { TextWidth.fitted($0, to: width) }
    }
}
