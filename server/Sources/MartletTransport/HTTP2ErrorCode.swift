/// Error codes of RST_STREAM and GOAWAY (RFC 9113, section 7) that this module names.
public enum HTTP2ErrorCode {
    /// NO_ERROR.
    public static let noError: UInt32 = 0x0
    /// PROTOCOL_ERROR.
    public static let protocolError: UInt32 = 0x1
    /// INTERNAL_ERROR.
    public static let internalError: UInt32 = 0x2
    /// REFUSED_STREAM: certain that the request was not processed (section 8.7).
    public static let refusedStream: UInt32 = 0x7
    /// CANCEL.
    public static let cancel: UInt32 = 0x8
    /// ENHANCE_YOUR_CALM: the peer makes too much work.
    public static let enhanceYourCalm: UInt32 = 0xb
}
