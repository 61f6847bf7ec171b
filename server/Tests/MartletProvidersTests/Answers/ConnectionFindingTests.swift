import MartletCore
import MartletWire
import Testing

@testable import MartletProviders
@testable import MartletTransport

@Suite("What an operator is told of a connection that fails")
struct ConnectionFindingTests {
    private func finding(_ fault: CertificateFault?, trust: String?) -> Finding {
        let credential = Credential(
            row: RowID(1),
            app: RowID(1),
            platform: .apns,
            environment: .production,
            summary: Rendering.token,
            sealed: [],
            url: nil,
            trust: trust,
            createdAt: Timestamp(milliseconds: 0)
        )
        let error = HTTP2ConnectError(
            phase: .tls,
            host: "apns.example",
            port: 443,
            reason: fault?.text ?? "handshake failed",
            certificate: fault
        )
        return APNsDiagnosis(credential: credential).connectionFinding(error)
    }

    @Test(
        "expired and untrusted certificates read differently, and each says what to do",
        arguments: [
            (.expired(0), nil, "expired on 1970-01-01", "apns.example:443 renewed"),
            (.notYetValid(0), nil, "not valid before", "clock"),
            (.untrusted, nil, "nobody who is trusted", "as the credential's trust"),
            (.untrusted, "PEM", "nobody who is trusted", "the stored one did not"),
            (nil, nil, "handshake failed", "proxy"),
        ] as [(CertificateFault?, String?, String, String)]
    )
    func certificates(fault: CertificateFault?, trust: String?, message: String, advice: String) {
        let finding = finding(fault, trust: trust)
        #expect(finding.level == .problem)
        #expect(finding.message.contains(message), "\(finding.message)")
        #expect(finding.advice?.contains(advice) == true, "\(finding.advice ?? "")")
    }
}
