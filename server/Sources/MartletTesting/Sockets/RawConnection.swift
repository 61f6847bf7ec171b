import Foundation
import Glibc

/// A TCP connection to a server of this machine, for bytes of any kind, from an address of the client's choice. Its calls
/// block: they do not belong on the threads of tasks (``blocking(_:)``).
public final class RawConnection {
    private let descriptor: Int32

    /// Connects within 10 s.
    ///
    /// - Parameters:
    ///   - address: the client's own: Linux has all of 127.0.0.0/8.
    ///   - receiveBuffer: how many bytes the system takes for a client that does not read; absent is the system's choice.
    /// - Throws: `ProgramProcess.Failure` with the system's word.
    public init(port: UInt16, from address: String = "127.0.0.1", receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Self.failure("socket") }
        do {
            setDeadline(SO_SNDTIMEO, seconds: 10)
            if let receiveBuffer { set(Int(SOL_SOCKET), SO_RCVBUF, to: receiveBuffer) }
            try Self.withAddress(address, port: 0) { name, size in
                // The port is chosen when it connects, so that addresses share the ports that there are.
                set(IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT)
                guard bind(descriptor, name, size) == 0 else { throw Self.failure("bind") }
            }
            try Self.withAddress("127.0.0.1", port: port) { name, size in
                guard connect(descriptor, name, size) == 0 else { throw Self.failure("connect") }
            }
            set(Int(IPPROTO_TCP), TCP_NODELAY)
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit { close(descriptor) }

    /// Writes all of it within 10 s.
    ///
    /// - Throws: `ProgramProcess.Failure` when the server closes first.
    public func send(_ text: String) throws { try send(Array(text.utf8)) }

    /// Writes all of it within 10 s.
    public func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = write(rest, flags: 0)
            guard count > 0 else { throw Self.failure("send") }
            rest = rest.dropFirst(count)
        }
    }

    /// Writes as much as the system takes at once; returns how much, and `nil` when the connection is closed.
    public func sendNow(_ bytes: ArraySlice<UInt8>) -> Int? {
        let count = write(bytes, flags: MSG_DONTWAIT)
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : nil
    }

    /// Sends nothing more; the server's answers may still be read.
    public func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Reads until the text is there, the server closes, or the time is over; what was read, at most 1 MiB.
    public func read(until end: String? = nil, seconds: Double) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let limit = Date(timeIntervalSinceNow: seconds)
        while bytes.count < 1 << 20 {
            let left = limit.timeIntervalSinceNow
            guard left > 0, wait(Int16(POLLIN), seconds: left) else { break }
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            bytes += buffer[..<count]
            if let end, String(decoding: bytes, as: UTF8.self).contains(end) { break }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads what is there, at most so many bytes, and waits for it; empty at the end or when the time is over.
    public func read(upTo count: Int, seconds: Double) -> String {
        guard wait(Int16(POLLIN), seconds: seconds) else { return "" }
        var buffer = [UInt8](repeating: 0, count: count)
        let read = recv(descriptor, &buffer, count, 0)
        return String(decoding: buffer.prefix(max(0, read)), as: UTF8.self)
    }

    /// Reads nothing for a while, as a slow line.
    public func rest(milliseconds: Int32) { _ = Glibc.poll(nil, 0, milliseconds) }

    /// Whether the server has closed it, or closes it within the time.
    public func isClosed(within seconds: Double = 0) -> Bool {
        let limit = Date(timeIntervalSinceNow: seconds)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        repeat {
            guard wait(Int16(POLLIN), seconds: max(0, limit.timeIntervalSinceNow)) else { return false }
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count == 0 { return true }
            if count < 0 { return errno != EAGAIN && errno != EWOULDBLOCK }
        } while limit.timeIntervalSinceNow > 0
        return false
    }

    /// Whether the server has closed it, or closes it within the time, without reading what has come.
    public func hasEnded(within seconds: Double = 0) -> Bool {
        // POLLRDHUP of Linux's poll.h, which is behind a macro that Swift does not see.
        wait(0x2000, seconds: seconds)
    }

    private func wait(_ events: Int16, seconds: Double) -> Bool {
        var poll = pollfd(fd: descriptor, events: events, revents: 0)
        return Glibc.poll(&poll, 1, Int32(seconds * 1000)) > 0
    }

    private func write(_ bytes: ArraySlice<UInt8>, flags: Int) -> Int {
        bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(flags | MSG_NOSIGNAL)) }
    }

    private func set(_ level: Int, _ option: Int32, to value: Int32 = 1) {
        var value = value
        setsockopt(descriptor, Int32(level), option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private func setDeadline(_ option: Int32, seconds: Int) {
        var time = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    private static func withAddress(
        _ text: String,
        port: UInt16,
        _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Void
    ) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        guard inet_pton(AF_INET, text, &address.sin_addr) == 1 else {
            throw ProgramProcess.Failure(description: "'\(text)' is no address")
        }
        try withUnsafePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                try body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    private static func failure(_ call: String) -> ProgramProcess.Failure {
        ProgramProcess.Failure(description: "\(call): \(String(cString: strerror(errno)))")
    }
}

/// Runs what blocks on a thread of its own.
public func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Result { try body() }) }.start()
    }
}
