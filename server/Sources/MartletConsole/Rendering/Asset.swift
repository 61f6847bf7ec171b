import Crypto
import HTTPTypes
import Hummingbird
import NIOCore

/// A file beside the pages: the style sheet and the script. Its address has its content's hash, so that browsers keep it
/// and never use an old one.
struct Asset: Sendable {
    let name: String
    let type: String
    private let body: ByteBuffer
    private let hash: String

    static let style = Asset("console.css", "text/css; charset=utf-8", PackageResources.console_css)
    static let script = Asset("console.js", "text/javascript; charset=utf-8", PackageResources.console_js)

    private init(_ name: String, _ type: String, _ bytes: [UInt8]) {
        (self.name, self.type, body) = (name, type, ByteBuffer(bytes: bytes))
        hash = SHA256.hash(data: bytes).prefix(6).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Where pages find it.
    var address: String { "/console/assets/\(name)?v=\(hash)" }

    /// For a year, since another content has another address.
    var response: Response {
        Response(
            status: .ok,
            headers: [.contentType: type, .cacheControl: "public, max-age=31536000, immutable"],
            body: ResponseBody(byteBuffer: body)
        )
    }
}

extension ConsoleService {
    var assetRoutes: [ConsoleRoute] {
        [Asset.style, .script].map { asset in
            ConsoleRoute(method: .get, path: "/assets/\(asset.name)", access: .open) { _ in .other(asset.response) }
        }
    }
}
