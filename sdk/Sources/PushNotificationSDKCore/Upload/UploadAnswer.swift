import Foundation

/// What an answer to a batch means for the batch: the uploader's whole table.
package enum UploadAnswer: Sendable, Equatable {
    /// Each event has its verdict.
    case receipts([ReceiptVerdict])
    /// The batch is tried again, no earlier than so many milliseconds from now where the server says so.
    case again(after: Int64?)
    /// Something in the batch cannot be read: its halves are tried.
    case bisect
    /// Nothing is tried until something changes: the key, the address, the next launch.
    case stop(status: Int, message: String)

    /// Reads an answer; no answer at all is `nil`.
    ///
    /// - Parameter now: UTC milliseconds, against which a date in `Retry-After` is taken.
    package init(_ answer: HTTPAnswer?, of destination: any EventDestination, count: Int, now: Int64) {
        guard let answer else {
            self = .again(after: nil)
            return
        }
        switch answer.status {
        case 200..<300:
            // A page of a captive portal is no answer either.
            self = destination.receipts(answer, count: count).map { .receipts($0) } ?? .again(after: nil)
        case 400, 413: self = .bisect
        case 408, 425, 429, 500...599: self = .again(after: answer.retryAfter(now: now))
        default: self = .stop(status: answer.status, message: Self.message(answer))
        }
    }

    /// The server's own words, at most 200 characters: `{"error":{"message":…}}`.
    private static func message(_ answer: HTTPAnswer) -> String {
        struct Body: Decodable {
            struct Failure: Decodable { var message: String }
            var error: Failure
        }
        let body = try? JSONDecoder().decode(Body.self, from: answer.body)
        return String((body?.error.message ?? "The events were not taken.").prefix(200))
    }
}
