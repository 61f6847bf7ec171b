internal import CNghttp2
import NIOCore

/// A refusal by libnghttp2 that ends the connection.
struct NGHTTP2Error: Error, CustomStringConvertible {
    /// The library's code (`nghttp2_error`), negative.
    let code: Int32

    var description: String { String(cString: nghttp2_strerror(code)) }
}

/// Owns one `nghttp2_session`; used on one event loop only.
///
/// The callbacks get the user data given with ``bind(to:)``; they must neither free the session nor call
/// ``receive(_:)`` or ``gather(into:limit:)``.
struct NGHTTP2Session: ~Copyable {
    /// Which side of the connection this is.
    enum Role { case client, server }

    /// Streams over the limit that a server's library lets in, so that each is refused by itself and the connection
    /// goes on; beyond them the library ends the connection. As many as a client opens that takes a new connection to
    /// have the usual limit (1,000 at APNs) and does not wait for SETTINGS.
    static let excessStreams = 1_000

    /// The library's handle.
    let pointer: OpaquePointer
    private let role: Role
    private let memory: SessionMemory

    /// A session with the callbacks that `configure` sets on the `nghttp2_session_callbacks` it is given.
    init(_ role: Role, callbacks configure: (OpaquePointer) -> Void) {
        var callbacks: OpaquePointer?
        var options: OpaquePointer?
        var session: OpaquePointer?
        nghttp2_session_callbacks_new(&callbacks)
        nghttp2_option_new(&options)
        configure(callbacks!)
        // A server's library remembers closed streams, as many as may be open: by them it knows a frame on a stream that
        // its client has ended, which is a connection error (RFC 9113, section 5.1). For a client they are memory that
        // nothing reads.
        nghttp2_option_set_no_closed_streams(options, role == .client ? 1 : 0)
        let memory = SessionMemory()
        // Copied by the library.
        var functions = memory.functions
        let result =
            switch role {
            case .client: nghttp2_session_client_new3(&session, callbacks, nil, options, &functions)
            case .server: nghttp2_session_server_new3(&session, callbacks, nil, options, &functions)
            }
        precondition(result == 0, "out of memory")
        nghttp2_session_callbacks_del(callbacks)
        nghttp2_option_del(options)
        self.pointer = session!
        self.role = role
        self.memory = memory
    }

    deinit {
        nghttp2_session_del(self.pointer)
    }

    /// Gives the callbacks the object that they report to; it is not retained.
    func bind(to owner: AnyObject) {
        nghttp2_session_set_user_data(self.pointer, Unmanaged.passUnretained(owner).toOpaque())
    }

    /// Takes in bytes of the peer and runs the callbacks for what they contain.
    func receive(_ buffer: ByteBuffer) throws(NGHTTP2Error) {
        let taken = buffer.withUnsafeReadableBytes { bytes in
            nghttp2_session_mem_recv(self.pointer, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
        }
        if taken < 0 { throw NGHTTP2Error(code: Int32(taken)) }
    }

    /// Appends frames to send until `limit` bytes are reached; true when more may be waiting.
    func gather(into buffer: inout ByteBuffer, limit: Int) throws(NGHTTP2Error) -> Bool {
        var data: UnsafePointer<UInt8>?
        while buffer.readableBytes < limit {
            let count = nghttp2_session_mem_send(self.pointer, &data)
            if count < 0 { throw NGHTTP2Error(code: Int32(count)) }
            if count == 0 { return false }
            buffer.writeBytes(UnsafeRawBufferPointer(start: data, count: count))
            if self.role == .server { Self.removeOwnLimit(fromFrameOf: count, atEndOf: &buffer) }
        }
        return true
    }

    /// Sends SETTINGS with these values.
    func submitSettings(_ settings: [(nghttp2_settings_id, Int)]) {
        let entries = settings.map {
            nghttp2_settings_entry(settings_id: Int32($0.0.rawValue), value: UInt32(clamping: $0.1))
        }
        nghttp2_submit_settings(self.pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), entries, entries.count)
    }

    /// Sends a server's SETTINGS with this limit of open streams. The library itself gets a higher one: at its own limit
    /// it ends the connection, where a stream error will do (RFC 9113, section 5.1.2).
    func submitSettings(maxConcurrentStreams limit: Int, _ settings: [(nghttp2_settings_id, Int)] = []) {
        let own = min(limit, Int(Int32.max)) + Self.excessStreams
        self.submitSettings(
            settings + [
                (NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, limit),
                // The last value of a setting holds (section 6.5.3); it is taken out before the frame is sent.
                (NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, own),
            ]
        )
    }

    /// Takes the library's own limit out of a SETTINGS frame without ACK: its last entry, of 6 bytes (section 6.5.1).
    private static func removeOwnLimit(fromFrameOf count: Int, atEndOf buffer: inout ByteBuffer) {
        let start = buffer.writerIndex - count
        guard buffer.getInteger(at: start + 3, as: UInt8.self) == UInt8(NGHTTP2_SETTINGS.rawValue),
            let flags = buffer.getInteger(at: start + 4, as: UInt8.self), flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) == 0,
            // The low two of the length's three bytes: a server's SETTINGS have a few entries.
            let length = buffer.getInteger(at: start + 1, as: UInt16.self)
        else { return }
        buffer.setInteger(length - 6, at: start + 1)
        buffer.moveWriterIndex(to: buffer.writerIndex - 6)
    }

    /// Makes the receive window of the whole connection `size` bytes; to make it smaller WINDOW_UPDATE is withheld.
    func setConnectionWindow(_ size: Int) {
        nghttp2_session_set_local_window_size(
            self.pointer,
            UInt8(NGHTTP2_FLAG_NONE.rawValue),
            0,
            Int32(clamping: size)
        )
    }

    /// The stream's slot in its owner's table, or nil when the stream is gone.
    func slot(of stream: Int32) -> Int? {
        guard let data = nghttp2_session_get_stream_user_data(self.pointer, stream) else { return nil }
        return Int(bitPattern: data) - 1
    }

    /// True when neither side has anything left to say: the connection is to be closed.
    var isFinished: Bool {
        nghttp2_session_want_read(self.pointer) == 0 && nghttp2_session_want_write(self.pointer) == 0
    }

    /// How a slot is written as a stream's user data: never nil, so that slot 0 differs from no slot.
    static func userData(slot: Int) -> UnsafeMutableRawPointer? {
        UnsafeMutableRawPointer(bitPattern: slot + 1)
    }
}
