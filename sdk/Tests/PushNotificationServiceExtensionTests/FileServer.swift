import Foundation
import Glibc
import PushNotificationSDKCore

/// A server on the loopback that answers badly on request: the path says how.
final class FileServer: Sendable {
    let port: UInt16
    private let listener: Int32

    /// A server on a port that the system chooses.
    init() throws {
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
                guard connection >= 0 else { return }
                Thread.detachNewThread {
                    Self.serve(connection)
                    close(connection)
                }
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// The address on the loopback for one of `https://cdn.example.com`.
    func rewrite(_ url: URL) -> URL {
        URL(string: "http://127.0.0.1:\(port)\(url.path)")!
    }

    private static func serve(_ connection: Int32) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(connection, &buffer, buffer.count, 0)
        guard count > 0 else { return }
        let path = String(decoding: buffer[..<count], as: UTF8.self).split(separator: " ").dropFirst().first ?? ""
        let head = { (fields: String) in
            _ = write("HTTP/1.1 200 OK\r\n\(fields)\r\nConnection: close\r\n\r\n", connection)
        }
        switch path {
        case "/image.png":
            head("Content-Type: image/png\r\nContent-Length: 1000")
            _ = write(Data(repeating: 7, count: 1000), connection)
        case "/sound.mp3":
            head("Content-Type: audio/mpeg\r\nContent-Length: 10")
            _ = write(Data(count: 10), connection)
        case "/announced.png":
            head("Content-Type: image/png\r\nContent-Length: \(12 << 20)")
            while write(Data(count: 65_536), connection) {}
        case "/endless.png":
            head("Content-Type: image/png")
            while write(Data(count: 65_536), connection) {}
        case "/short.png":
            head("Content-Type: image/png\r\nContent-Length: 1000")
            _ = write(Data(count: 10), connection)
        case "/page.png":
            head("Content-Type: text/html\r\nContent-Length: 6")
            _ = write("<html>", connection)
        case "/missing.png":
            _ = write("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", connection)
        case "/moved.png": move(connection, to: "https://cdn.example.com/image.png")
        case "/insecure.png": move(connection, to: "http://cdn.example.com/image.png")
        case "/loop.png": move(connection, to: "https://cdn.example.com/loop.png")
        default:
            // It begins and then says nothing more, until the other side goes.
            head("Content-Type: image/png\r\nContent-Length: 1000")
            _ = recv(connection, &buffer, 1, 0)
        }
    }

    private static func move(_ connection: Int32, to address: String) {
        let fields = "Location: \(address)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        _ = write("HTTP/1.1 302 Found\r\n\(fields)", connection)
    }

    private static func write(_ text: String, _ connection: Int32) -> Bool { write(Data(text.utf8), connection) }

    private static func write(_ bytes: Data, _ connection: Int32) -> Bool {
        bytes.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) } == bytes.count
    }
}
