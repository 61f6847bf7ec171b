import MartletCore
import Testing

@testable import MartletHTTP

@Suite("Private hosts")
struct PrivateHostsTests {
    static let table: [(String, String?)] = [
        ("1.1.1.1", nil), ("8.8.8.8", nil), ("93.184.216.34", nil), ("100.63.255.255", nil), ("100.128.0.0", nil),
        ("172.15.255.255", nil), ("172.32.0.0", nil), ("192.167.255.255", nil), ("192.169.0.0", nil),
        ("223.255.255.255", nil), ("9.255.255.255", nil), ("11.0.0.0", nil), ("128.0.0.1", nil),
        ("169.253.255.255", nil), ("198.20.0.0", nil),
        ("0.0.0.0", "unspecified"), ("0.1.2.3", "unspecified"), ("10.0.0.1", "private"), ("10.255.255.255", "private"),
        ("100.64.0.1", "shared"), ("100.127.255.255", "shared"), ("127.0.0.1", "loopback"),
        ("127.255.255.254", "loopback"), ("169.254.169.254", "link-local"), ("172.16.0.1", "private"),
        ("172.31.255.255", "private"), ("192.168.1.1", "private"), ("192.0.0.8", "reserved"),
        ("192.0.2.1", "documentation"), ("192.88.99.1", "reserved"), ("198.18.0.1", "benchmarking"),
        ("198.19.255.255", "benchmarking"), ("198.51.100.1", "documentation"), ("203.0.113.1", "documentation"),
        ("224.0.0.1", "multicast"), ("239.255.255.255", "multicast"), ("240.0.0.1", "reserved"),
        ("255.255.255.255", "reserved"),
        ("2606:4700:4700::1111", nil), ("2a00:1450:4001:81b::200e", nil), ("2001:200::1", nil), ("2003::1", nil),
        ("64:ff9b::808:808", nil),
        ("::", "unspecified"), ("::1", "loopback"), ("::2", "reserved"), ("::7f00:1", "reserved"),
        ("::ffff:127.0.0.1", "IPv4-mapped"), ("::ffff:8.8.8.8", "IPv4-mapped"), ("64:ff9b::7f00:1", "loopback"),
        ("64:ff9b::a9fe:a9fe", "link-local"), ("64:ff9b:1::1", "reserved"), ("100::1", "reserved"),
        ("fc00::1", "unique-local"), ("fdff::1", "unique-local"), ("fe80::1", "link-local"),
        ("febf::1", "link-local"), ("fec0::1", "private"), ("ff02::1", "multicast"), ("2001:db8::1", "documentation"),
        ("3fff::1", "documentation"), ("2001::1", "reserved"), ("2001:1ff::1", "reserved"),
        ("2002:7f00:1::1", "reserved"), ("4000::1", "reserved"), ("1fff::1", "reserved"),
    ]

    @Test("are refused by address", arguments: table)
    func judges(text: String, purpose: String?) throws {
        let address = try #require(IPAddress(text))
        #expect(PrivateHostPolicy.publicOnly.refusal(of: address, for: "keys.example.com") == purpose)
    }

    @Test("are allowed by name, address and network, and nothing beside them is")
    func allows() throws {
        let policy = try PrivateHostPolicy(allowing: ["Keys.Internal", "10.1.0.0/16", "127.0.0.1", "fd00:1::/32"])
        let cases: [(String, String, Bool)] = [
            ("10.9.9.9", "keys.internal", true), ("10.9.9.9", "KEYS.internal", true),
            ("10.9.9.9", "other.internal", false), ("10.9.9.9", "a.keys.internal", false),
            ("10.1.255.1", "other.internal", true), ("10.2.0.1", "other.internal", false),
            ("127.0.0.1", "localhost", true), ("127.0.0.2", "localhost", false),
            ("64:ff9b::a01:1", "other.internal", true), ("::ffff:10.1.0.1", "other.internal", false),
            ("fd00:1::9", "other.internal", true), ("fd00:2::9", "other.internal", false), ("8.8.8.8", "any", true),
        ]
        for (text, host, allowed) in cases {
            let address = try #require(IPAddress(text))
            #expect((policy.refusal(of: address, for: host) == nil) == allowed, "\(text) for \(host)")
        }
    }

    @Test(
        "an entry that is no host is refused",
        arguments: [
            "", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/+8", "10.0.0.0/08", "fd00::/129", "a b", "http://x", "a..b",
            "ü.example",
            "[::1]", "*.example.com",
        ]
    )
    func refusesEntries(entry: String) {
        #expect(throws: Failure.self) { try PrivateHostPolicy(allowing: [entry]) }
    }

    @Test(
        "a network contains its addresses to the bit",
        arguments: [
            ("0.0.0.0/0", "255.255.255.255", true), ("0.0.0.0/0", "::", false), ("10.0.0.128/25", "10.0.0.127", false),
            ("10.0.0.128/25", "10.0.0.255", true), ("10.0.0.1", "10.0.0.1", true), ("10.0.0.1/32", "10.0.0.2", false),
            ("2001:db8::/33", "2001:db8:7fff::", true), ("2001:db8::/33", "2001:db8:8000::", false),
        ]
    )
    func containsToTheBit(network: String, address: String, inside: Bool) throws {
        #expect(try #require(IPNetwork(network)).contains(#require(IPAddress(address))) == inside)
    }

    @Test(
        "addresses have one reading",
        arguments: [
            "127.1", "2130706433", "0x7f.0.0.1", "0177.0.0.1", "1.2.3.4:80", "fe80::1%eth0", "[::1]", "1.2.3",
            " 1.2.3.4",
            "1.2.3.4\0", "",
        ]
    )
    func refusesOtherForms(text: String) { #expect(IPAddress(text) == nil) }

    @Test("addresses read their own text back")
    func readsBack() throws {
        for (text, _) in PrivateHostsTests.table {
            let address = try #require(IPAddress(text))
            #expect(IPAddress("\(address)") == address)
        }
    }
}
