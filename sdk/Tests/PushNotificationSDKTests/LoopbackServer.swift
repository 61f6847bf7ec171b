import Foundation
import PushNotificationSDKTesting

/// A server on the loopback that sends what a test says and writes down what it got.
final class LoopbackServer: Sendable {
    /// What is sent to one request: the bytes, and whether the connection stays open after them.
    struct Reply: Sendable {
        var text: String
        var staysOpen = false

        init(_ text: String, staysOpen: Bool = false) {
            self.text = text
            self.staysOpen = staysOpen
        }
    }

    /// The requests as they came.
    let requests = Journal<String>()
    private let listener: LoopbackListener

    /// A server on a port that the system chooses.
    ///
    /// - Parameter reply: the same for every request.
    init(_ reply: Reply) throws {
        listener = try LoopbackListener { [requests] connection in
            requests.add(connection.request())
            connection.send(reply.text)
            if reply.staysOpen { connection.waitForEnd() }
        }
    }

    var url: URL { listener.url("/path?q=1") }
}
