import Foundation
import Synchronization
import UnixSignals

/// What the loop that reads orders is told.
enum PhoneInput: Sendable {
    /// A line of standard input.
    case line(String)
    /// Keys of a terminal.
    case keys([UInt8])
    /// Standard input is over.
    case end
    /// An order was done, or could not be.
    case done(PhoneOrder.Wrong?)
    /// The screen is to be drawn again.
    case changed
    /// The process was asked to end.
    case signal(Int32)
}

/// Standard input, read on a thread of its own, and the signals that end the process.
final class PhoneInputs: Sendable {
    /// Everything in its order.
    let stream: AsyncStream<PhoneInput>
    private let continuation: AsyncStream<PhoneInput>.Continuation
    private let asked = DispatchSemaphore(value: 0)

    /// The longest line that is read: user ids and links of 4 KB fit.
    private static let longestLine = 16_384
    /// A signal so soon after another one is the same wish.
    private static let repetition: Duration = .milliseconds(500)

    /// From when it returns on, the signals are caught and are inputs.
    init() async {
        // Keys and lines are read one at a time, so that what waits here is what happened meanwhile.
        (stream, continuation) = AsyncStream.makeStream(of: PhoneInput.self, bufferingPolicy: .bufferingOldest(10_000))
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        Task { [continuation] in
            var first: ContinuousClock.Instant?
            for await signal in signals {
                let number = signal == .sigint ? SIGINT : signal == .sighup ? SIGHUP : SIGTERM
                // What ends a whole group of processes often reaches each of them twice.
                if let first, first.duration(to: .now) > Self.repetition { Self.endAtOnce(number) }
                first = first ?? .now
                continuation.yield(.signal(number))
            }
        }
    }

    /// Begins to read standard input, once.
    ///
    /// - Parameter keys: whether single keys are read; otherwise whole lines, one each time that ``ask()`` was called.
    func read(keys: Bool) {
        Thread { [self] in keys ? readKeys() : readLines() }.start()
    }

    /// Tells the loop something.
    func yield(_ input: PhoneInput) { continuation.yield(input) }

    /// Lets the next line be read.
    func ask() { asked.signal() }

    private func readLines() {
        var pending: [UInt8] = []
        while true {
            asked.wait()
            while !pending.contains(0x0A) {
                guard pending.count <= Self.longestLine, let bytes = Self.read(4_096) else { break }
                pending += bytes
            }
            guard let end = pending.firstIndex(of: 0x0A) ?? (pending.isEmpty ? nil : pending.endIndex) else {
                continuation.yield(.end)
                return
            }
            continuation.yield(.line(String(decoding: pending[..<end], as: UTF8.self)))
            pending.removeSubrange(..<min(end + 1, pending.endIndex))
        }
    }

    private func readKeys() {
        var interrupts = 0
        while let bytes = Self.read(64) {
            interrupts += bytes.count { $0 == PhoneKey.interrupt }
            if interrupts > 1 { Self.endAtOnce(SIGINT) }
            continuation.yield(.keys(bytes))
        }
        continuation.yield(.end)
    }

    /// The first signal asks for an orderly end, which needs the server; who asks again does not wait for it.
    private static func endAtOnce(_ signal: Int32) -> Never {
        RawMode.leave()
        // As shells report a process that a signal ended.
        _exit(128 + signal)
    }

    private static func read(_ limit: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: limit)
        var count = Glibc.read(STDIN_FILENO, &bytes, limit)
        while count < 0, errno == EINTR { count = Glibc.read(STDIN_FILENO, &bytes, limit) }
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }
}
