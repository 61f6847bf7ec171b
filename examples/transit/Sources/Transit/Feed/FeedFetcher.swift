package import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Fetches the feed: conditional requests, one deadline, one bound.
package final class FeedFetcher {
    /// What the server sent.
    package enum Fetched: Sendable, Equatable {
        case feed(FeedSnapshot)
        /// Nothing changed since the last feed that was kept.
        case unchanged
    }

    /// The most bytes of a feed: 50,000 alerts of 600 bytes.
    package var limit = 32 * 1024 * 1024
    private static let contentTypes = [
        "application/x-protobuf", "application/protobuf", "application/x-google-protobuf",
        "application/vnd.google.protobuf",
        "application/octet-stream",
    ]

    private let url: URL
    private let deadline: TimeInterval
    private let http: BoundedHTTP
    private let reader: FeedReader
    private var validators: [String: String] = [:]
    private var next: [String: String] = [:]

    package init(_ url: URL, deadline: TimeInterval = 10, reader: FeedReader = FeedReader()) {
        self.url = url
        self.deadline = deadline
        self.reader = reader
        http = BoundedHTTP(deadline: deadline)
    }

    deinit { http.close() }

    package func fetch() async throws(FeedProblem) -> Fetched {
        var request = URLRequest(url: url)
        for (name, value) in validators { request.setValue(value, forHTTPHeaderField: name) }
        let answer = try await answer(to: request)
        if answer.status == 304 {
            // RFC 9110, section 15.4.5: only a conditional request is answered so.
            guard !validators.isEmpty else { throw .unchangedUnasked }
            return .unchanged
        }
        guard answer.status == 200 else { throw .status(answer.status) }
        let type = answer.headers["content-type"] ?? ""
        let plain = type.split(separator: ";").first.map { $0.trimmingPrefix(" ").lowercased() } ?? ""
        guard Self.contentTypes.contains(plain) else { throw .contentType(type) }
        let snapshot = try reader.read(answer.body)
        next = [:]
        if let tag = answer.headers["etag"] { next["If-None-Match"] = tag }
        if let time = answer.headers["last-modified"] { next["If-Modified-Since"] = time }
        return .feed(snapshot)
    }

    /// The last feed is known from now on: a server that has no other one may say so. One that was refused has to come
    /// again.
    package func keep() { validators = next }

    private func answer(to request: URLRequest) async throws(FeedProblem) -> BoundedHTTP.Answer {
        do {
            return try await http.send(request, limit: limit)
        } catch {
            switch error as? HTTPFailure {
            case .tooSlow: throw .tooSlow(seconds: deadline)
            case .tooLarge: throw .tooLarge(limit: limit)
            case .unreachable(let reason): throw .unreachable(reason)
            case nil: throw .unreachable("\(error)")
            }
        }
    }
}
