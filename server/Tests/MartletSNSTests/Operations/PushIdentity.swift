import Foundation
import MartletTesting

/// A push certificate with its key, as OpenSSL makes it.
struct PushIdentity {
    /// PEM.
    let certificate: String
    /// PEM.
    let key: String
    /// Both as `.p12`, in base64.
    let archive: String
    /// The archive's.
    let password = "secret"

    /// Makes one for a bundle id, from now on.
    static func make(bundleID: String) throws -> PushIdentity {
        let openssl = try OpenSSL()
        defer { openssl.remove() }
        let key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout a.key"
        try openssl.run("req -x509 -new \(key) -out a.pem -days 30 -subj /UID=\(bundleID)/CN=push/OU=TEAM123456")
        try openssl.run("pkcs12 -export -inkey a.key -in a.pem -out a.p12 -passout pass:secret")
        func read(_ name: String) throws -> Data { try Data(contentsOf: openssl.folder.appending(path: name)) }
        return PushIdentity(
            certificate: String(decoding: try read("a.pem"), as: UTF8.self),
            key: String(decoding: try read("a.key"), as: UTF8.self),
            archive: try read("a.p12").base64EncodedString()
        )
    }
}
