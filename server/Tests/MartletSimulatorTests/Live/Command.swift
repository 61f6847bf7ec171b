import Foundation
import MartletTesting
import Testing

/// A program that was run to its end.
struct CommandResult: Sendable {
    var status: Int32
    var output: String
    var errors: String
}

/// Runs a program of the machine (curl, nghttp, python3, openssl) found on the PATH. Not by Foundation's `Process`, which copies
/// more than it read of each entry of `/proc/self/fd`, and ends a process that has many of them.
func run(_ arguments: [String]) async throws -> CommandResult {
    let result = try await ProgramProcess(arguments, executable: "/usr/bin/env").result()
    return CommandResult(status: result.status, output: result.standardOutput, errors: result.standardError)
}

/// Prints an ES256 provider token; an implementation of signing that shares nothing with the simulator's.
private let tokenScript = """
    import base64, json, sys
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec, utils
    path, kid, iss, iat = sys.argv[1:5]
    key = serialization.load_pem_private_key(open(path, 'rb').read(), password=None)
    def part(raw): return base64.urlsafe_b64encode(raw).rstrip(b'=')
    text = part(json.dumps({'alg': 'ES256', 'kid': kid}).encode()) + b'.'
    text += part(json.dumps({'iss': iss, 'iat': int(iat)}).encode())
    r, s = utils.decode_dss_signature(key.sign(text, ec.ECDSA(hashes.SHA256())))
    print((text + b'.' + part(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))).decode())
    """

/// A provider token made by Python's `cryptography`.
func pythonToken(keyFile: String, kid: String, iss: String, issuedAt: Int64) async throws -> String {
    let result = try await run(["python3", "-c", tokenScript, keyFile, kid, iss, "\(issuedAt)"])
    try #require(result.status == 0, "python3 with the package cryptography: \(result.errors)")
    return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
}
