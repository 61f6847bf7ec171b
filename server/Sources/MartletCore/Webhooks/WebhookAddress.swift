import Foundation

/// Webhook URLs as the store keeps them: what a URL has before its host is masked, and stands sealed at the end, behind a
/// `#`, which no URL that can be subscribed has.
///
/// The same URL is the same text, by which a subscription of an address is found again.
package enum WebhookAddress {
    /// A URL as it is stored; one without a user is stored as it is.
    ///
    /// - Throws: what the vault throws.
    package static func sealed(_ url: String, _ vault: Vault) throws -> String {
        guard !url.contains("#"), let user = userRange(in: url) else { return url }
        let masked = WebhookURL.masked(url)
        let sealed = try vault.sealRepeatably(Array(url[user].utf8), for: purpose(of: masked))
        return "\(masked)#\(Data(sealed).base64EncodedString())"
    }

    /// The URL that is called. One that was stored before users were sealed is read as it is.
    ///
    /// - Throws: `Failure` when it was sealed with another encryption key.
    package static func opened(_ stored: String, _ vault: Vault) throws(Failure) -> String {
        let masked = shown(stored)
        guard masked.utf8.count < stored.utf8.count, let user = userRange(in: masked),
            let sealed = Data(base64Encoded: String(stored.dropFirst(masked.count + 1)))
        else { return stored }
        let opened = try vault.open(Array(sealed), for: purpose(of: masked))
        return masked.replacingCharacters(in: user, with: String(decoding: opened, as: UTF8.self))
    }

    /// What stands before the sealed part.
    package static func shown(_ stored: String) -> String { String(stored.prefix { $0 != "#" }) }

    /// User and password, without the `@`.
    private static func userRange(in url: String) -> Range<String.Index>? {
        guard let mark = url.firstRange(of: "://") else { return nil }
        let authority = url[mark.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return authority.lastIndex(of: "@").map { authority.startIndex..<$0 }
    }

    private static func purpose(of masked: String) -> String { "webhook-address/\(masked)" }
}
