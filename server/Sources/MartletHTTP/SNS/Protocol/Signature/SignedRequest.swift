import HTTPTypes

/// A request as it was sent, of which a signature speaks: nothing in it is decoded or put in order.
struct SignedRequest: Sendable {
    let method: String
    /// What stands before the `?`, escaped as it came.
    let path: String
    /// What stands behind the `?`, escaped as it came; empty when there is none.
    let query: String
    /// What the client took for the server's name, with the port unless it is the default: `Host` of HTTP/1.1,
    /// `:authority` of HTTP/2. A proxy before the server has to keep it.
    let host: String
    let fields: HTTPFields
    let body: [UInt8]

    /// A request in its parts.
    init(method: String, target: String, host: String, fields: HTTPFields, body: [UInt8]) {
        let split = target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
        self.method = method
        path = String(target[..<split])
        query = String(decoding: target.utf8[split...].dropFirst(), as: UTF8.self)
        self.host = host
        self.fields = fields
        self.body = body
    }

    /// A request by its head and its whole body.
    init(_ head: HTTPRequest, body: [UInt8]) {
        let host = head.authority ?? HTTPField.Name("Host").flatMap { head.headerFields[$0] } ?? ""
        self.init(
            method: head.method.rawValue,
            target: head.path ?? "/",
            host: host,
            fields: head.headerFields,
            body: body
        )
    }
}

extension SignedRequest {
    /// Whether it claims temporary credentials, of which this server has none.
    ///
    /// - Throws: `MalformedInput` for a query that is none.
    func hasSessionToken() throws(SNSError) -> Bool {
        let name = HTTPField.Name.amzSecurityToken
        if fields[name] != nil { return true }
        return try SignedQuery(query).text(name.rawName) != nil
    }
}

extension HTTPField.Name {
    /// When a request was signed.
    static let amzDate = HTTPField.Name("X-Amz-Date")!  // a token, see RFC 9110, section 5.6.2
    /// The hash of the body, where a client sends it; for SNS few do.
    static let amzContentSHA256 = HTTPField.Name("X-Amz-Content-Sha256")!  // a token as well
    /// What temporary credentials have beside a key.
    static let amzSecurityToken = HTTPField.Name("X-Amz-Security-Token")!  // and this
}
