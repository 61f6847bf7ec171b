import MartletCore
import MartletWire
import Testing

@testable import MartletProviders

@Suite("Where browsers are pushed to")
struct WebPushEndpointTests {
    @Test(
        "each service is known by its hosts",
        arguments: [
            ("https://fcm.googleapis.com/fcm/send/a:b", Environment.google), ("https://jmt17.google.com/x", .google),
            ("https://updates.push.services.mozilla.com/wpush/v2/g", .mozilla),
            ("https://wns2-par02p.notify.windows.com/w/?token=a%3d", .microsoft),
            ("https://web.push.apple.com/QA", .apple), ("HTTPS://FCM.googleapis.com:443/x", .google),
            ("https://push.example.org/up", .otherService), ("https://a.up.example.net/x", .otherService),
        ]
    )
    func services(_ text: String, _ service: Environment) throws {
        let hosts = try WebPushHosts(["push.example.org", "*.up.example.net"])
        let endpoint = try WebPushEndpoint(text, hosts: hosts, field: "f")
        #expect(endpoint.service == service)
        #expect(try WebPushEndpoint(endpoint.text, hosts: hosts, field: "f") == endpoint)
    }

    @Test(
        "anything else is refused with the field",
        arguments: [
            "", "push", "http://fcm.googleapis.com/x", "https://", "https:///x", "https://127.0.0.1/x",
            "https://[::1]/x", "https://169.254.169.254/latest", "https://10.0.0.1/", "https://[64:ff9b::a00:1]/",
            "https://2130706433/", "https://0x7f.1/", "https://127.1/", "https://user@fcm.googleapis.com/x",
            "https://fcm.googleapis.com@evil.example/x", "https://fcm.googleapis.com:8443/x",
            "https://fcm.googleapis.com:0443/x", "https://fcm.googleapis.com.evil.example/x",
            "https://evilfcm.googleapis.com/x", "https://push.apple.com/x", "https://localhost/x",
            "https://fcm.googleapis.com\\@evil.example/x", "https://fcm.googleapis.com/x#y",
            "https://fcm.googleapis.com/a b", "https://example.com/x", "file:///etc/passwd",
        ]
    )
    func refused(_ text: String) throws {
        let failure = try #require(throws: Failure.self) {
            try WebPushEndpoint(text, hosts: .none, field: "subscription.endpoint")
        }
        #expect(failure.detail.field == "subscription.endpoint")
    }

    @Test("a host that the operator names is a name", arguments: ["127.0.0.1", "::1", "a b", "*", "*.", "https://a.b"])
    func hosts(_ entry: String) { #expect(throws: Failure.self) { try WebPushHosts([entry]) } }
}
