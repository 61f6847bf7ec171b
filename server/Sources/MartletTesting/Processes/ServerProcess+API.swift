import Foundation
public import MartletWire

extension ServerProcess {
    /// Its first admin key.
    public func key() throws -> String {
        try String(contentsOfFile: data + "/admin.key", encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Calls the REST interface as its administrator; returns what stands under `data`.
    @discardableResult
    public func call(
        _ method: String,
        _ path: String,
        _ body: String? = nil,
        idempotencyKey: String? = nil
    ) async throws -> JSONValue? {
        let url = address + "/api/v1" + path
        let answer = try await LocalCall.json(
            method,
            url,
            body,
            key: try key(),
            idempotencyKey: idempotencyKey,
            in: network
        )
        return answer?.objectValue?["data"]
    }

    /// The most memory that it held at once since its start, in MB of 1,000,000 bytes.
    ///
    /// - Throws: `ProgramProcess.Failure` when it has ended.
    public func peakMegabytes() throws -> Double {
        let text = (try? String(contentsOfFile: "/proc/\(process.id)/status", encoding: .utf8)) ?? ""
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
            let kibibytes = line.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
        else { throw ProgramProcess.Failure(description: "there is no process \(process.id)") }
        return kibibytes * 1024 / 1_000_000
    }
}
