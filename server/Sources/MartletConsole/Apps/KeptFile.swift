import Foundation
import MartletCore
import MartletPipeline
import MartletWire

/// A credential's file that a page carries on until it is stored: a browser forgets it with each answer. What stands in the
/// page is sealed, for one operator and an hour, so that nobody reads the secret there.
struct KeptFile: Sendable, Codable {
    var name: String
    var bytes: Data
    /// That of a `.p12`.
    var password: String
    /// In milliseconds.
    private var end: Int64

    private static let lifetime: Duration = .seconds(3_600)
    /// The most bytes of a file. Ours: providers' have some thousand.
    private static let limit = 65_536

    /// `nil` for what is no credential.
    init?(_ file: FormFile, password: String, at now: Timestamp) {
        guard file.bytes.count <= Self.limit, CredentialFile(file.bytes) != nil else { return nil }
        (name, bytes, self.password) = (file.name, Data(file.bytes), password)
        end = (now + Self.lifetime).rawValue
    }

    var file: FormFile { FormFile(name: name, bytes: Array(bytes)) }

    /// What stands in a page.
    func sealed(for owner: Operator, by vault: Vault) throws -> String {
        Secret.base64URL(try vault.seal(Array(JSONEncoder().encode(self)), for: Self.purpose(owner)))
    }

    /// What a page carried on; `nil` where it is somebody else's, or too old.
    init?(sealed text: String, for owner: Operator, by vault: Vault, at now: Timestamp) {
        guard let bytes = Base64URL.decode(text), let opened = try? vault.open(bytes, for: Self.purpose(owner)),
            let kept = try? JSONDecoder().decode(KeptFile.self, from: Data(opened)), now.rawValue < kept.end
        else { return nil }
        self = kept
    }

    private static func purpose(_ owner: Operator) -> String { "console/credential file/\(owner.id)" }
}

extension ConsoleService {
    /// A form with its file: the one that was chosen, or else the one that the page carries on.
    func credentialForm(_ call: ConsoleCall) throws -> CredentialForm {
        let kept = try keptFile(call)
        return CredentialForm(call.form, file: kept?.file ?? call.form.files["file"], password: kept?.password ?? "")
    }

    /// What a page shows of the file that it carries on.
    func keptFileValues(_ call: ConsoleCall) throws -> PageValues {
        guard let kept = try keptFile(call) else { return [:] }
        let sealed = try kept.sealed(for: call.owner(), by: credentials.vault)
        return ["kept_files": [["kept_name": kept.name, "kept_sealed": sealed] as PageValues], "has_kept_file": true]
    }

    private func keptFile(_ call: ConsoleCall) throws -> KeptFile? {
        let (form, now) = (call.form, clock.now())
        if let file = form.files["file"] { return KeptFile(file, password: form.raw("password"), at: now) }
        guard let text = form["kept_file"] else { return nil }
        var kept = KeptFile(sealed: text, for: try call.owner(), by: credentials.vault, at: now)
        if !form.raw("password").isEmpty { kept?.password = form.raw("password") }
        return kept
    }
}
