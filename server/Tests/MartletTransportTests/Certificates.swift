import Foundation
import MartletTesting
import NIOSSL

/// An authority, server certificates for `localhost`, for 127.0.0.1 and for both, a client certificate; made once per
/// run.
struct Certificates: Sendable {
    static let shared = Result { try Certificates() }

    let folder: URL
    let authority: NIOSSLCertificate

    var serverCertificate: String { self.folder.appending(path: "server.pem").path }
    var serverKey: String { self.folder.appending(path: "server.key").path }

    private init() throws {
        self.folder = FileManager.default.temporaryDirectory.appending(path: "transport-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
        let new = ["req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        try Self.openssl(
            new + ["-x509", "-days", "2", "-subj", "/CN=authority", "-keyout", "ca.key", "-out", "ca.pem"],
            in: self.folder
        )
        for (name, subject, names) in [
            ("server", "/CN=localhost", "subjectAltName=DNS:localhost"),
            ("address", "/CN=address", "subjectAltName=IP:127.0.0.1"),
            ("both", "/CN=both", "subjectAltName=DNS:localhost,IP:127.0.0.1"),
            ("client", "/CN=client", "subjectAltName=DNS:client"),
            ("expired", "/CN=localhost", "subjectAltName=DNS:localhost"),
        ] {
            let extensions = self.folder.appending(path: "\(name).ext")
            try names.write(to: extensions, atomically: true, encoding: .utf8)
            try Self.openssl(
                new + ["-subj", subject, "-keyout", "\(name).key", "-out", "\(name).csr"],
                in: self.folder
            )
            try Self.sign(name, in: self.folder)
        }
        atexit { try? FileManager.default.removeItem(at: Certificates.shared.get().folder) }
        self.authority = try NIOSSLCertificate.fromPEMFile(self.folder.appending(path: "ca.pem").path)[0]
    }

    func server(_ name: String = "server") throws -> TLSConfiguration {
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try self.chain(name),
            privateKey: try self.key(name)
        )
        tls.trustRoots = .certificates([self.authority])
        return tls
    }

    func client(withCertificate: Bool = false) throws -> TLSConfiguration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates([self.authority])
        if withCertificate {
            tls.certificateChain = try self.chain("client")
            tls.privateKey = try self.key("client")
        }
        return tls
    }

    private func chain(_ name: String) throws -> [NIOSSLCertificateSource] {
        try NIOSSLCertificate.fromPEMFile(self.folder.appending(path: "\(name).pem").path).map { .certificate($0) }
    }

    private func key(_ name: String) throws -> NIOSSLPrivateKeySource {
        .privateKey(try NIOSSLPrivateKey(file: self.folder.appending(path: "\(name).key").path, format: .pem))
    }

    private static func sign(_ name: String, in folder: URL) throws {
        guard name == "expired" else {
            return try self.openssl(
                [
                    "x509", "-req", "-in", "\(name).csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
                    "-days", "2", "-extfile", "\(name).ext", "-out", "\(name).pem",
                ],
                in: folder
            )
        }
        // Only `ca` takes a time in the past.
        for (file, text) in [
            ("index.txt", ""), ("serial", "01"),
            (
                "ca.cnf",
                "[ca]\ndefault_ca=a\n[a]\ndatabase=index.txt\nserial=serial\nnew_certs_dir=.\ndefault_md=sha256\npolicy=p\n"
                    + "[p]\ncommonName=supplied\n"
            ),
        ] {
            try text.write(to: folder.appending(path: file), atomically: true, encoding: .utf8)
        }
        try self.openssl(
            [
                "ca", "-batch", "-config", "ca.cnf", "-in", "\(name).csr", "-cert", "ca.pem", "-keyfile", "ca.key",
                "-startdate", "20210101000000Z", "-enddate", "20210102000000Z", "-extfile", "\(name).ext", "-notext",
                "-out", "\(name).pem",
            ],
            in: folder
        )
    }

    private static func openssl(_ arguments: [String], in folder: URL) throws {
        let result = try ProgramProcess.run(arguments, executable: "openssl", folder: folder.path)
        guard result.status == 0 else { throw OpenSSLFailed(arguments: arguments) }
    }

    struct OpenSSLFailed: Error { let arguments: [String] }
}
