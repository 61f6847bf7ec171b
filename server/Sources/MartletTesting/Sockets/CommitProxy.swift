import Foundation
import Glibc
import Synchronization

/// Stands between a server and PostgreSQL on loopback, and cuts the answer to a COMMIT off: the transaction is committed,
/// and who asked for it sees its connection end. Its threads end with the connections.
public final class CommitProxy: Sendable {
    /// The port that it listens on.
    public let port: UInt16
    private let listener: Int32
    private let socketPath: String
    private let distance: Duration
    private let isCut: @Sendable (Int) -> Bool
    private let commits = Atomic(0)
    private let turns = Atomic(0)
    private let statements = Atomic(0)
    private let cuts = Atomic(0)

    /// CommandComplete (PostgreSQL manual, section 55.7) with the tag COMMIT.
    private static let committed = [UInt8(ascii: "C"), 0, 0, 0, 11] + Array("COMMIT\0".utf8)

    /// How often a server sent something behind an answer: what it sends before it has one is one round trip.
    public var roundTrips: Int { turns.load(ordering: .relaxed) }

    /// How many statements servers sent, BEGIN and COMMIT too.
    public var statementCount: Int { statements.load(ordering: .relaxed) }

    /// How many answers were cut off.
    public var cutCount: Int { cuts.load(ordering: .relaxed) }

    /// Listens.
    ///
    /// - Parameters:
    ///   - socketPath: PostgreSQL's socket.
    ///   - distance: how long what is sent is under way, one way.
    ///   - isCut: whether the answer to a COMMIT is cut off, by how many there were before, from any thread.
    /// - Throws: `ProgramProcess.Failure`.
    public init(to socketPath: String, distance: Duration = .zero, isCut: @escaping @Sendable (Int) -> Bool) throws {
        (self.socketPath, self.distance, self.isCut) = (socketPath, distance, isCut)
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let isListening = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                bind(descriptor, name, size) == 0 && listen(descriptor, 64) == 0
                    && getsockname(descriptor, name, &size) == 0
            }
        }
        guard descriptor >= 0, isListening else {
            close(descriptor)
            throw ProgramProcess.Failure(description: "the proxy cannot listen: \(String(cString: strerror(errno)))")
        }
        port = UInt16(bigEndian: address.sin_port)
        Thread { [self] in accept() }.start()
    }

    /// Takes no more connections; those that are there go on.
    public func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func accept() {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0 else {
                close(listener)
                return
            }
            guard let server = connectToServer() else {
                close(client)
                continue
            }
            let both = Ends(client: client, server: server)
            Thread { [self] in pass(from: both.client, to: both.server, both, watches: false) }.start()
            Thread { [self] in pass(from: both.server, to: both.client, both, watches: true) }.start()
        }
    }

    /// Two sockets that end together.
    private final class Ends: Sendable {
        let client: Int32
        let server: Int32
        /// Whether the server sent last.
        let isAnswered = Atomic(true)

        init(client: Int32, server: Int32) { (self.client, self.server) = (client, server) }

        deinit {
            close(client)
            close(server)
        }

        func end() {
            shutdown(client, Int32(SHUT_RDWR))
            shutdown(server, Int32(SHUT_RDWR))
        }
    }

    private func connectToServer() -> Int32? {
        let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) {
            $0.copyBytes(from: Array(socketPath.utf8.prefix($0.count - 1)))
        }
        let isConnected = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                connect(server, name, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        if isConnected { return server }
        close(server)
        return nil
    }

    private func pass(from source: Int32, to target: Int32, _ both: Ends, watches: Bool) {
        defer { both.end() }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        // The answer to COMMIT may come in two parts.
        var seen: [UInt8] = []
        var requests = RequestCount()
        while true {
            let count = recv(source, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            let isAnswered = both.isAnswered.exchange(watches, ordering: .relaxed)
            if !watches {
                if isAnswered { turns.wrappingAdd(1, ordering: .relaxed) }
                statements.wrappingAdd(requests.count(in: buffer[..<count]), ordering: .relaxed)
            }
            if distance > .zero { usleep(UInt32(distance / .microseconds(1))) }
            if watches {
                seen = seen.suffix(Self.committed.count - 1) + buffer[..<count]
                if seen.firstRange(of: Self.committed) != nil {
                    seen = []
                    let number = commits.wrappingAdd(1, ordering: .relaxed).oldValue
                    if isCut(number) {
                        cuts.wrappingAdd(1, ordering: .relaxed)
                        return
                    }
                }
            }
            var sent = 0
            while sent < count {
                let part = buffer[sent..<count].withUnsafeBytes {
                    Glibc.send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard part > 0 else { return }
                sent += part
            }
        }
    }
}

/// Counts the statements in what a client sends, which comes in parts (PostgreSQL manual, section 55.7): a message is its
/// kind and its length, which counts itself.
private struct RequestCount {
    private var head: [UInt8] = [0]
    private var left = 0

    /// The first message has no kind.
    mutating func count(in bytes: ArraySlice<UInt8>) -> Int {
        var count = 0
        var rest = bytes
        while !rest.isEmpty {
            if left > 0 {
                let part = min(left, rest.count)
                rest = rest.dropFirst(part)
                left -= part
                continue
            }
            head.append(rest.removeFirst())
            guard head.count == 5 else { continue }
            left = head[1...].reduce(0) { $0 << 8 | Int($1) } - 4
            // Bind, and a query without parameters.
            if head[0] == UInt8(ascii: "B") || head[0] == UInt8(ascii: "Q") { count += 1 }
            // One that asks for encryption has no kind either, and the first message follows it.
            head = head[0] == 0 && left == 4 ? [0] : []
        }
        return count
    }
}
