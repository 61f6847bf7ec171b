package import MartletCore

/// What an operator may set about the SNS interface.
package struct SNSSettings: Sendable {
    /// The account of every ARN: twelve digits.
    package var account = "123456789012"
    /// The address at which clients and subscribers reach this server, such as `https://push.example.com`, for the links
    /// of envelopes; `nil` is where the server listens.
    package var publicURL: String?
    /// Which addresses of the inside http and https subscriptions may lead to.
    package var privateHosts = PrivateHostPolicy.publicOnly
    /// Where credentials for APNs that are made through this interface lead, such as `https://127.0.0.1:2197`: it has no
    /// word for that. `nil` is Apple.
    package var apnsURL: String?
    /// PEM certificates to trust there instead of the system's.
    package var apnsTrust: String?
    /// The largest request, in bytes. A message of 256 KiB takes up to three times as many when it is escaped.
    package var bodyLimit = 1_048_576

    /// The defaults.
    package init() {}
}
