import MartletTransport
import Synchronization

/// Counts the answers to each request of a burst, and looks at them.
final class AnswerTally: Sendable {
    private let counts: Mutex<[Int]>
    private let configuration: HTTP2ClientConfiguration

    init(_ count: Int, _ configuration: HTTP2ClientConfiguration) {
        counts = Mutex(Array(repeating: 0, count: count))
        self.configuration = configuration
    }

    /// Takes in one answer.
    func add(_ number: Int, _ answer: HTTP2Answer) {
        let count = counts.withLock { counts in
            counts[number] += 1
            return counts[number]
        }
        demand(count == 1, "request \(number) has \(count) answers")
        guard case .response(let response) = answer else { return }
        demand((200...999).contains(response.status), "an answer has the status \(response.status)")
        demand(response.body.count <= configuration.maxBodyBytes, "a body has \(response.body.count) bytes")
        let headers = response.headers
        // 32 bytes of overhead a field: RFC 9113, section 6.5.2.
        let size = headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 }
        // A byte that is not UTF-8 becomes a replacement character of three.
        demand(size <= configuration.maxHeaderBytes * 3, "header fields have \(size) bytes")
        for header in headers { demand(response.value(of: header.name) != nil, "\(header.name) is not found") }
    }

    /// Looks whether all are there.
    func check() {
        let missing = counts.withLock { counts in counts.filter { $0 == 0 }.count }
        demand(missing == 0, "\(missing) requests have no answer")
    }
}
