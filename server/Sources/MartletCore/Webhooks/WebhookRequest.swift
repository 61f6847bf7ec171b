/// One call of a webhook URL: where to, with which header fields and which body.
package struct WebhookRequest: Hashable, Sendable {
    /// Where to.
    package let url: WebhookURL
    /// The header fields but `Host` and `Content-Length`, whose values no line break can be in.
    package let fields: [Field]
    /// The envelope, or the message as it is.
    package let body: [UInt8]

    /// A header field.
    package struct Field: Hashable, Sendable {
        package let name: String
        package let value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// - Parameter fields: those whose value could begin another field are left out.
    package init(url: WebhookURL, fields: [Field], body: [UInt8]) {
        self.url = url
        self.fields = fields.filter { HeaderText.isSafe($0.value) }
        self.body = body
    }
}
