import Foundation
import Glibc
import MartletTesting

/// What others than the operator name, and the server would call from inside its network.
enum Addresses {
    private static let hosts = [
        "127.0.0.1", "localhost", "[::1]", "0.0.0.0", "10.0.0.1", "192.168.0.1", "172.16.0.1", "169.254.169.254",
        "[::ffff:127.0.0.1]", "[fe80::1]", "[fd00::1]", "2130706433", "0x7f000001", "127.1", "100.64.0.1",
    ]

    static func run(_ victim: Victim) throws -> Tally {
        var tally = Tally("inside addresses")
        let listener = try Listener()
        for host in hosts {
            try credential(victim, "https://\(host):\(listener.port)", listener, &tally)
            try keySet(victim, "https://\(host):\(listener.port)/keys", listener, &tally)
            try subscription(victim, "http://\(host):\(listener.port)/hook", listener, &tally)
        }
        try comparePorts(victim, open: listener.port, &tally)
        return tally
    }

    /// The address of an app's provider, named by the app's own admin key.
    private static func credential(_ victim: Victim, _ url: String, _ listener: Listener, _ tally: inout Tally) throws {
        let stored = try store(victim, url)
        var said = "refused"
        if stored.status == 200 { said = try diagnose(victim) }
        tally.attempt(heldOff: !listener.wasCalled(within: 0.05), "a credential for \(url): \(stored.status), \(said)")
    }

    /// The address of an identity provider's keys, fetched when a user token comes.
    private static func keySet(_ victim: Victim, _ url: String, _ listener: Listener, _ tally: inout Tally) throws {
        let identity = #"{"identity":{"mode":"signed","issuer":"i","audience":"a","jwks_url":"\#(url)"}}"#
        let answer = try victim.call(
            "PATCH",
            "/api/v1/apps/\(Victim.other)",
            bearer: victim.credentials[.otherAdmin],
            body: identity
        )
        let token =
            "eyJhbGciOiJSUzI1NiIsImtpZCI6ImEifQ.eyJpc3MiOiJpIiwiYXVkIjoiYSIsInN1YiI6InUiLCJleHAiOjQxMDI0NDQ4MDB9.AAAA"
        let asked = try victim.call("GET", "/api/v1/devices", bearer: token)
        tally.attempt(
            heldOff: !listener.wasCalled(within: 0.05) && asked.status != 200,
            "a key set at \(url): \(answer.status), then \(asked.status)"
        )
    }

    /// A webhook URL that is subscribed to a topic through the SNS interface.
    private static func subscription(_ victim: Victim, _ url: String, _ listener: Listener, _ tally: inout Tally) throws
    {
        let call = SignedCall(victim)
        let made = try call.send(["Action": "CreateTopic", "Name": "inside"])
        let arn = made.body.components(separatedBy: "<TopicArn>").last?.components(separatedBy: "<").first ?? ""
        let answer = try call.send(["Action": "Subscribe", "TopicArn": arn, "Protocol": "http", "Endpoint": url])
        tally.attempt(heldOff: !listener.wasCalled(within: 0.1), "a subscription of \(url): \(answer.status)")
    }

    /// Whether the doctor's words tell an open port from a closed one.
    private static func comparePorts(_ victim: Victim, open: UInt16, _ tally: inout Tally) throws {
        let closed = try Listener.unusedPort()
        var words: [String] = []
        for port in [open, closed] {
            let stored = try store(victim, "https://127.0.0.1:\(port)")
            let said = stored.status == 200 ? try diagnose(victim) : stored.body
            words.append(said.replacingOccurrences(of: String(port), with: "PORT"))
        }
        tally.attempt(heldOff: words[0] == words[1], "an open port: \(words[0]); a closed one: \(words[1])")
    }

    private static func store(_ victim: Victim, _ url: String) throws -> RawAnswer {
        let body =
            #"{"platform":"apns","p8":"\#(SigningKey.pem)","key_id":"ABCD123456","team_id":"TEAM123456","#
            + #""bundle_id":"\#(Victim.other)","url":"\#(url)"}"#
        return try victim.call(
            "PUT",
            "/api/v1/apps/\(Victim.other)/credentials",
            bearer: victim.credentials[.otherAdmin],
            body: body
        )
    }

    private static func diagnose(_ victim: Victim) throws -> String {
        try victim.call("GET", "/api/v1/doctor", bearer: victim.credentials[.otherAdmin], seconds: 30).body
    }
}

/// A port inside the network on which nobody may ever call.
final class Listener {
    private let descriptor: Int32
    /// The port.
    let port: UInt16

    /// Listens at all addresses of IPv6 and IPv4.
    init() throws {
        (descriptor, port) = try Self.bound()
        guard listen(descriptor, 64) == 0 else { throw AttackFailure("listen failed") }
    }

    deinit { close(descriptor) }

    /// Whether somebody has called since it was asked last; whoever did is hung up on.
    func wasCalled(within seconds: Double) -> Bool {
        var calls = 0
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while Glibc.poll(&poll, 1, calls == 0 ? Int32(seconds * 1000) : 0) > 0 {
            close(accept(descriptor, nil, nil))
            calls += 1
        }
        return calls > 0
    }

    /// A port on which nobody listens.
    static func unusedPort() throws -> UInt16 {
        let (descriptor, port) = try bound()
        close(descriptor)
        return port
    }

    private static func bound() throws -> (Int32, UInt16) {
        let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
        var off: Int32 = 0
        setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &off, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard descriptor >= 0, isBound else { throw AttackFailure("there is no port to listen on") }
        return (descriptor, UInt16(bigEndian: address.sin6_port))
    }
}
