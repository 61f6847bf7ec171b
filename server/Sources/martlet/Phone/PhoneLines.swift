import ArgumentParser
import Foundation

/// Orders line by line from standard input, and what happens line by line on standard output.
@MainActor
struct PhoneLines {
    let phones: Phones
    let inputs: PhoneInputs
    let output: Output
    /// Whether a person types the lines: a wrong one is said and passed over. In a script it is the end.
    let isTyped: Bool

    /// Prints an event.
    static func show(_ event: SessionEvent, _ output: Output) {
        if output.isJSON { try? output.jsonLine(event) } else { output.lines([line(event)]) }
    }

    /// A event with its time and phone.
    static func line(_ event: SessionEvent) -> String {
        let name = event.user.map { "\(event.phone) \($0)" } ?? "\(event.phone)"
        let printable = TextWidth.printable(name)
        // Most names are as short as this, and what is below each other is read faster.
        let padded = TextWidth.columns(of: printable) > 10 ? printable : TextWidth.padded(printable, to: 10)
        return "\(LocalClock.seconds(event.time))  \(padded)  \(event.words)"
    }

    /// Switches the phones on, then reads and does, until the input or an order ends it; then they are off.
    ///
    /// - Throws: `CommandFailure` for a line of a script that is wrong or cannot be done; `ExitCode` after a signal.
    func run(allows: Bool?) async throws {
        let outcome: Result<Void, any Error>
        Task {
            await phones.begin(allows: allows)
            inputs.yield(.done(nil))
        }
        do {
            try await obey()
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await phones.end()
        try outcome.get()
    }

    private func obey() async throws {
        var number = 0
        for await input in inputs.stream {
            switch input {
            case .line(let text):
                number += 1
                guard let line = try read(text, number) else {
                    inputs.ask()
                    continue
                }
                if line.order == .quit { return }
                Task { inputs.yield(.done(await done(line))) }
            case .done(let wrong):
                if let wrong { try say(wrong, number) }
                inputs.ask()
            case .end: return
            case .signal(let signal): throw ExitCode(128 + signal)
            case .keys, .changed: break
            }
        }
    }

    private func read(_ text: String, _ number: Int) throws -> PhoneOrder.Line? {
        do throws(PhoneOrder.Wrong) {
            return try PhoneOrder.read(text)
        } catch {
            try say(error, number)
            return nil
        }
    }

    private func done(_ line: PhoneOrder.Line) async -> PhoneOrder.Wrong? {
        switch line.order {
        case .show:
            show(line.phone)
            return nil
        case .help:
            // Programs read standard output.
            for form in PhoneOrder.all { Terminal.note(TextWidth.padded(form.form, to: 26) + form.meaning) }
            return nil
        default:
            do throws(PhoneOrder.Wrong) {
                try await phones.perform(line)
                return nil
            } catch {
                return error
            }
        }
    }

    private func show(_ phone: Int?) {
        let screens = phones.screens.filter { phone == nil || $0.phone == phone }
        if output.isJSON { return screens.forEach { try? output.jsonLine(["screen": $0]) } }
        for screen in screens {
            output.lines(PhoneWall(screens: [screen], selected: screen.phone, entry: 0, width: 80).lines)
        }
    }

    private func say(_ wrong: PhoneOrder.Wrong, _ number: Int) throws {
        guard isTyped else {
            throw CommandFailure("Line \(number): \(wrong.message)", hint: wrong.hint, status: .failed)
        }
        Terminal.note(TextWidth.printable("\(wrong.message) \(wrong.hint)"))
    }
}
