import Foundation
import PushNotificationSDKTesting

/// A server on the loopback that answers badly on request: the path says how.
final class FileServer: Sendable {
    private let listener: LoopbackListener

    /// A server on a port that the system chooses.
    init() throws {
        listener = try LoopbackListener { Self.serve($0) }
    }

    /// The address on the loopback for one of `https://cdn.example.com`.
    func rewrite(_ url: URL) -> URL { listener.url(url.path) }

    private static func serve(_ connection: LoopbackConnection) {
        let path = connection.request().split(separator: " ").dropFirst().first
        let head = { (fields: String) in
            _ = connection.send("HTTP/1.1 200 OK\r\n\(fields)\r\nConnection: close\r\n\r\n")
        }
        switch path {
        case "/image.png":
            head("Content-Type: image/png\r\nContent-Length: 1000")
            connection.send(Data(repeating: 7, count: 1000))
        case "/sound.mp3":
            head("Content-Type: audio/mpeg\r\nContent-Length: 10")
            connection.send(Data(count: 10))
        case "/untold":
            // A type that says nothing, and the first bytes one by one.
            head("Content-Type: application/octet-stream\r\nContent-Length: 1000")
            for byte in [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] as [UInt8] { connection.send(Data([byte])) }
            connection.send(Data(count: 992))
        case "/announced.png":
            head("Content-Type: image/png\r\nContent-Length: \(12 << 20)")
            flood(connection)
        case "/endless.png":
            head("Content-Type: image/png")
            flood(connection)
        case "/drip.png":
            head("Content-Type: image/png")
            while connection.send(Data([7])) {}
        case "/short.png":
            head("Content-Type: image/png\r\nContent-Length: 1000")
            connection.send(Data(count: 10))
        case "/page.png":
            head("Content-Type: text/html\r\nContent-Length: 6")
            connection.send("<html>")
        case "/missing.png":
            connection.send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        case "/moved.png": move(connection, to: "https://cdn.example.com/image.png")
        case "/insecure.png": move(connection, to: "http://cdn.example.com/image.png")
        case "/loop.png": move(connection, to: "https://cdn.example.com/loop.png")
        default:
            // It begins and then says nothing more, until the other side goes.
            head("Content-Type: image/png\r\nContent-Length: 1000")
            connection.waitForEnd()
        }
    }

    /// Sends 64 MB, far more than any download may have, or less where the other side goes.
    private static func flood(_ connection: LoopbackConnection) {
        for _ in 0..<1024 {
            guard connection.send(Data(count: 65_536)) else { return }
        }
    }

    private static func move(_ connection: LoopbackConnection, to address: String) {
        let fields = "Location: \(address)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        connection.send("HTTP/1.1 302 Found\r\n\(fields)")
    }
}
