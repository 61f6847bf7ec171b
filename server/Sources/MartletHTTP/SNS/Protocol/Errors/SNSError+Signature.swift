/// What requests without a good signature are answered, in the words of AWS's Query services.
///
/// AWS repeats the Authorization field in some of these. Here it is not repeated: clients with a key and a secret in
/// each other's place send the secret in it.
extension SNSError {
    /// No signature at all.
    static let unsigned = SNSError(.missingAuthenticationToken, "Request is missing Authentication Token")

    /// An access key that is not known, or was revoked.
    static let unknownKey = SNSError(
        .invalidClientTokenID,
        "The security token included in the request is invalid."
    )

    /// Another signature than ours: another secret, or the request is not the one that was signed.
    static let signatureMismatch = SNSError(
        .signatureDoesNotMatch,
        """
        The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key \
        and signing method. Consult the service documentation for details.
        """
    )

    /// A signature that lacks a part, or whose part has another form.
    static func incompleteSignature(_ message: String) -> SNSError { SNSError(.incompleteSignature, message) }

    /// A signature that is good for something else.
    static func wrongScope(_ message: String) -> SNSError { SNSError(.signatureDoesNotMatch, message) }

    /// A signature whose time is over.
    ///
    /// - Parameters:
    ///   - time: when it was made, as in `X-Amz-Date`.
    ///   - earliest: before which it is too old.
    ///   - now: the server's time.
    ///   - seconds: for how long signatures hold.
    static func expired(_ time: String, earliest: String, now: String, seconds: Int64) -> SNSError {
        SNSError(
            .signatureDoesNotMatch,
            "Signature expired: \(time) is now earlier than \(earliest) (\(now) - \(span(seconds)))"
        )
    }

    /// A signature of the future, of which there are only those of clocks that are wrong.
    static func notYetCurrent(_ time: String, latest: String, now: String, seconds: Int64) -> SNSError {
        SNSError(
            .signatureDoesNotMatch,
            "Signature not yet current: \(time) is still later than \(latest) (\(now) + \(span(seconds)))"
        )
    }

    private static func span(_ seconds: Int64) -> String {
        seconds.isMultiple(of: 60) ? "\(seconds / 60) min." : "\(seconds) sec."
    }
}
