import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// Reads what a simulator's control interface says, for the console's page of virtual phones.
enum SimulatorClient {
    /// The largest answer: a thousand pushes, each with the 8 KiB that the simulator keeps of it, and room.
    private static let limit = 32 << 20

    /// One for the process, as long as it lives.
    private static let http: HTTPClient = {
        var configuration = HTTPClient.Configuration(timeout: .init(connect: .seconds(1)))
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.redirectConfiguration = .disallow
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    /// The body of an answer with 200.
    ///
    /// - Throws: what went wrong on the way, or `CommandFailure` for another answer.
    @Sendable static func fetch(_ address: String) async throws -> [UInt8] {
        let response = try await http.execute(HTTPClientRequest(url: address), timeout: .seconds(2))
        guard response.status == .ok else {
            throw CommandFailure("The simulator answered \(response.status.code).", status: .failed)
        }
        return Array(try await response.body.collect(upTo: limit).readableBytesView)
    }
}
