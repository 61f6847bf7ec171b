import Foundation
import Glibc
import PushNotificationSDKTesting

/// A server on the loopback that sends what a test says and writes down what it got.
final class LoopbackServer: Sendable {
    /// What is sent to one request: the bytes, and whether the connection stays open after them.
    struct Reply: Sendable {
        var bytes: Data
        var staysOpen = false

        init(_ text: String, staysOpen: Bool = false) {
            bytes = Data(text.utf8)
            self.staysOpen = staysOpen
        }
    }

    let port: UInt16
    /// The requests as they came.
    let requests = Journal<String>()
    private let listener: Int32

    /// A server on a port that the system chooses.
    ///
    /// - Parameter reply: the same for every request.
    init(_ reply: Reply) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        port = try withUnsafeMutablePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                guard bind(listener, pointer, length) == 0, listen(listener, 16) == 0,
                    getsockname(listener, pointer, &length) == 0
                else { throw POSIXError(.EADDRNOTAVAIL) }
            }
            return pointer.pointee.sin_port.bigEndian
        }
        let requests = requests
        Thread.detachNewThread {
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                Thread.detachNewThread {
                    requests.add(Self.request(of: connection))
                    reply.bytes.withUnsafeBytes {
                        _ = send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                    }
                    // Until the other side hangs up.
                    var byte: UInt8 = 0
                    if reply.staysOpen { while recv(connection, &byte, 1, 0) > 0 {} }
                    close(connection)
                }
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    var url: URL { URL(string: "http://127.0.0.1:\(port)/path?q=1")! }

    /// Head and body of a request, the body by its declared length.
    private static func request(of connection: Int32) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            if let end = text.range(of: "\r\n\r\n") {
                let head = text[..<end.lowerBound].lowercased()
                let field = head.components(separatedBy: "\r\n").first { $0.hasPrefix("content-length:") }
                let length = field.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
                if text[end.upperBound...].utf8.count >= length { return text }
            }
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return text }
            bytes += buffer[..<count]
        }
    }
}
