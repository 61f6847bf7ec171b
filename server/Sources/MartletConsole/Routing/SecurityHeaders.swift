import HTTPTypes

/// What the browser is told to refuse for every page: frames, other origins, scripts and styles within pages.
enum SecurityHeaders {
    private static let fields: [(String, String)] = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
                + "font-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
        ),
        ("X-Frame-Options", "DENY"), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "same-origin"),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
    ]

    static func add(to headers: inout HTTPFields) {
        for (name, value) in fields {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
    }
}
