#if canImport(Glibc)
    package import Foundation
    import Glibc

    /// Listens on the loopback and serves each connection on a thread of its own, until it is let go.
    package final class LoopbackListener: Sendable {
        /// The port that the system chose.
        package let port: UInt16
        private let listener: Int32

        /// A listener.
        ///
        /// - Parameter serve: what becomes of a connection, which is closed afterwards.
        /// - Throws: `POSIXError` when there is no port.
        package init(_ serve: @escaping @Sendable (LoopbackConnection) -> Void) throws {
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

        deinit { shutdown(listener, Int32(SHUT_RDWR)) }

        /// An address at this listener.
        ///
        /// - Parameter path: with its first slash.
        package func url(_ path: String) -> URL { URL(string: "http://127.0.0.1:\(port)\(path)")! }
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
