internal import CNghttp2
import NIOCore

/// What a stream of the server holds between its first frame and its end; reused.
struct ServerStreamState {
    var method = ""
    var path = ""
    var headers: [HTTP2Header] = []
    var headerBytes = 0
    var body = ByteBuffer()
    var isBodyTruncated = false
    var isAnswered = false
    var response: ByteBuffer?

    /// Makes the slot ready for another stream.
    mutating func reset() {
        self = ServerStreamState()
    }
}

// What is done with streams: requests handed over, answers submitted.
extension ServerSession {
    func respond(stream: Int32, status: Int, headers: [HTTP2Header], body: ByteBuffer?) {
        guard self.connection != nil, let slot = self.session.slot(of: stream), !self.streams[slot].isAnswered else {
            return
        }
        self.streams[slot].isAnswered = true
        self.fields.removeAll()
        self.fields.append(":status", String(status), isIndexed: true)
        for header in headers { self.fields.append(header.name, header.value, isIndexed: header.isIndexed) }
        let session = self.session.pointer
        if let body, body.readableBytes > 0 {
            self.streams[slot].response = body
            var provider = nghttp2_data_provider()
            provider.source.ptr = NGHTTP2Session.userData(slot: slot)
            provider.read_callback = Self.readResponse
            _ = self.fields.withFields { fields in
                nghttp2_submit_response(session, stream, fields.baseAddress, fields.count, &provider)
            }
        } else {
            _ = self.fields.withFields { fields in
                nghttp2_submit_response(session, stream, fields.baseAddress, fields.count, nil)
            }
        }
        self.scheduleFlush()
    }

    func reset(stream: Int32, errorCode: UInt32) {
        guard self.connection != nil else { return }
        nghttp2_submit_rst_stream(self.session.pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, errorCode)
        self.scheduleFlush()
    }

    /// The highest stream that a request has begun on.
    var lastStreamID: Int32 { nghttp2_session_get_last_proc_stream_id(self.session.pointer) }

    func goAway(lastStreamID: Int32?, errorCode: UInt32, debugData: [UInt8]) {
        guard self.connection != nil else { return }
        let last = lastStreamID ?? self.lastStreamID
        nghttp2_submit_goaway(
            self.session.pointer,
            UInt8(NGHTTP2_FLAG_NONE.rawValue),
            last,
            errorCode,
            debugData,
            debugData.count
        )
        self.scheduleFlush()
    }

    func setMaxConcurrentStreams(_ count: Int) {
        guard self.connection != nil else { return }
        self.maxConcurrentStreams = count
        self.session.submitSettings(maxConcurrentStreams: count)
        self.scheduleFlush()
    }

    func deliver(stream: Int32) {
        guard let connection = self.connection, let slot = self.session.slot(of: stream) else { return }
        let state = self.streams[slot]
        self.streams[slot].headers = []
        self.streams[slot].body = ByteBuffer()
        self.handler?.received(
            HTTP2ServerRequest(
                method: state.method,
                path: state.path,
                headers: state.headers,
                body: state.body,
                isBodyTruncated: state.isBodyTruncated
            ),
            on: HTTP2ServerStream(id: stream, connection: connection)
        )
    }

    /// Takes in one field; false when the request's fields are too large.
    func append(
        name: UnsafeBufferPointer<UInt8>,
        value: UnsafeBufferPointer<UInt8>,
        isIndexed: Bool,
        slot: Int
    ) -> Bool {
        // 32 bytes of overhead a field: RFC 9113, section 6.5.2.
        self.streams[slot].headerBytes += name.count + value.count + 32
        guard self.streams[slot].headerBytes <= self.configuration.maxHeaderBytes else { return false }
        if name.first == UInt8(ascii: ":") {
            let text = String(decoding: value, as: UTF8.self)
            switch String(decoding: name, as: UTF8.self) {
            case ":method": self.streams[slot].method = text
            case ":path": self.streams[slot].path = text
            default: break
            }
        } else {
            let place = self.streams[slot].headers.count
            let field = self.recent.field(at: place, name: name, value: value, isIndexed: isIndexed)
            self.streams[slot].headers.append(field)
        }
        return true
    }

    func append(body bytes: UnsafeBufferPointer<UInt8>, slot: Int) {
        let room = self.configuration.maxBodyBytes - self.streams[slot].body.readableBytes
        if bytes.count > room { self.streams[slot].isBodyTruncated = true }
        self.streams[slot].body.writeBytes(bytes.prefix(max(0, room)))
    }
}
