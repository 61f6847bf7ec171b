#if canImport(Glibc)
    package import Foundation
    import Glibc

    /// Listens on the loopback and serves each connection on a thread of its own, until it is let go.
    package final class LoopbackListener: Sendable {
        /// The port that the system chose.
        package var port: UInt16 { socket.port }
        private let socket: LoopbackSocket

        /// A listener.
        ///
        /// - Parameter serve: what becomes of a connection, which is closed afterwards.
        /// - Throws: `POSIXError` when there is no port.
        package init(_ serve: @escaping @Sendable (LoopbackConnection) -> Void) throws {
            let socket = try LoopbackSocket()
            let listener = socket.descriptor
            self.socket = socket
            guard listen(listener, 16) == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
            Thread.detachNewThread {
                while true {
                    let connection = accept(listener, nil, nil)
                    if connection >= 0 {
                        Thread.detachNewThread {
                            serve(LoopbackConnection(socket: connection))
                            close(connection)
                        }
                    } else if errno == EINVAL {
                        // It was let go. Closed here and not before, so that no number is accepted on, or shut down, that
                        // is another listener's by now.
                        close(listener)
                        return
                    }
                }
            }
        }

        deinit { shutdown(socket.descriptor, Int32(SHUT_RDWR)) }

        /// An address at this listener.
        ///
        /// - Parameter path: with its first slash.
        package func url(_ path: String) -> URL { socket.url(path) }
    }

    /// The other side's bytes, and one's own to it.
    package struct LoopbackConnection: Sendable {
        fileprivate let socket: Int32

        /// Sends bytes.
        ///
        /// - Returns: whether the other side took them all.
        @discardableResult
        package func send(_ bytes: Data) -> Bool {
            bytes.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) } == bytes.count
        }

        /// Sends a text.
        ///
        /// - Returns: whether the other side took all of it.
        @discardableResult
        package func send(_ text: String) -> Bool { send(Data(text.utf8)) }

        /// Returns when the other side hangs up.
        package func waitForEnd() {
            var byte: UInt8 = 0
            while recv(socket, &byte, 1, 0) > 0 {}
        }

        /// Head and body of a request, the body by its declared length; what there is of it where the other side hangs up.
        package func request() -> String {
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
                let count = recv(socket, &buffer, buffer.count, 0)
                guard count > 0 else { return text }
                bytes += buffer[..<count]
            }
        }
    }
#endif
