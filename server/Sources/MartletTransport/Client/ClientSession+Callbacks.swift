internal import CNghttp2
import NIOCore

// The library's callbacks: they find their session by its user data and the stream's slot by the stream's.
extension ClientSession {
    static func of(_ userData: UnsafeMutableRawPointer?) -> ClientSession {
        Unmanaged<ClientSession>.fromOpaque(userData!).takeUnretainedValue()
    }

    static func setCallbacks(_ callbacks: OpaquePointer) {
        nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            _,
            frame,
            name,
            nameCount,
            value,
            valueCount,
            _,
            userData in
            let owner = ClientSession.of(userData)
            guard let frame, let slot = owner.session.slot(of: frame.header.stream_id) else { return 0 }
            let isTaken = owner.append(
                name: UnsafeBufferPointer(start: name, count: nameCount),
                value: UnsafeBufferPointer(start: value, count: valueCount),
                slot: slot
            )
            return isTaken ? 0 : NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, stream, data, count, userData in
            let owner = ClientSession.of(userData)
            guard let slot = owner.session.slot(of: stream) else { return 0 }
            owner.append(body: UnsafeBufferPointer(start: data, count: count), slot: slot, stream: stream)
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, userData in
            ClientSession.of(userData).received(frame!)
            return 0
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, stream, errorCode, userData in
            let owner = ClientSession.of(userData)
            guard let slot = owner.session.slot(of: stream) else { return 0 }
            owner.closed(slot: slot, errorCode: errorCode, reason: owner.machine.endReason ?? "REFUSED_STREAM")
            return 0
        }
        nghttp2_session_callbacks_set_error_callback2(callbacks) { _, _, message, count, userData in
            let bytes = UnsafeRawBufferPointer(start: message, count: count)
            ClientSession.of(userData).complaint = String(decoding: bytes, as: UTF8.self)
            return 0
        }
    }

    private func received(_ frame: UnsafePointer<nghttp2_frame>) {
        let header = frame.header
        switch UInt32(header.type) {
        case NGHTTP2_HEADERS.rawValue, NGHTTP2_DATA.rawValue:
            guard let slot = self.session.slot(of: header.stream_id) else { return }
            // 1xx answers come before the final one (RFC 9113, section 8.1).
            if self.streams[slot].status >= 200 {
                self.streams[slot].hasFinalHeaders = true
            } else {
                self.interimAnswer(slot: slot, stream: header.stream_id)
            }
            if frame.endsStream { self.answered(slot: slot, stream: header.stream_id) }
        case NGHTTP2_SETTINGS.rawValue:
            if UInt32(header.flags) & NGHTTP2_FLAG_ACK.rawValue == 0 { self.settingsReceived() }
        case NGHTTP2_GOAWAY.rawValue:
            let goAway = frame.pointee.goaway
            self.isGoneAway = true
            // A reason is a short JSON object; 1 KiB bounds what a peer can make us keep and log.
            let data = UnsafeBufferPointer(start: goAway.opaque_data, count: min(1024, Int(goAway.opaque_data_len)))
            let text = data.isEmpty ? "" : ": \(String(decoding: data, as: UTF8.self))"
            self.machine.drain("GOAWAY \(String(cString: nghttp2_http2_strerror(goAway.error_code)))\(text)")
        default: break
        }
    }

    /// Takes in one field of an answer; false when the answer's fields are too large, which ends the stream.
    private func append(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>, slot: Int) -> Bool {
        // Trailers are not kept.
        if self.streams[slot].hasFinalHeaders { return true }
        if name.first == UInt8(ascii: ":") {
            // The only pseudo header field of an answer is :status, three digits, checked by the library.
            self.streams[slot].status = value.reduce(0) { $0 * 10 + Int($1) - 48 }
            self.streams[slot].headers.removeAll()
            return true
        }
        // 32 bytes of overhead a field: RFC 9113, section 6.5.2.
        self.streams[slot].headerBytes += name.count + value.count + 32
        guard self.streams[slot].headerBytes <= self.configuration.maxHeaderBytes else {
            self.cut(
                slot: slot,
                at: "the answer's header fields have more than \(self.configuration.maxHeaderBytes) bytes"
            )
            return false
        }
        if self.isKept(name) { self.streams[slot].headers.append(name: name, value: value) }
        return true
    }

    private func isKept(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let names = self.keptNames else { return true }
        // The count first: it tells nearly all of them apart.
        return names.contains { $0.count == name.count && $0.elementsEqual(name) }
    }

    private func append(body bytes: UnsafeBufferPointer<UInt8>, slot: Int, stream: Int32) {
        // What still comes before the peer hears of a reset.
        if self.streams[slot].isAnswered { return }
        let room = self.configuration.maxBodyBytes - self.streams[slot].answerBody.count
        self.streams[slot].answerBody.append(contentsOf: bytes.prefix(max(0, room)))
        guard bytes.count > room else { return }
        let limit = "an answer's body has more than \(self.configuration.maxBodyBytes) bytes"
        self.cut(slot: slot, at: limit)
        self.resetStream(stream)
        self.machine.drain(limit)
    }

    /// Whoever sends them without end would otherwise be read for as long as a request may take, and after it.
    private func interimAnswer(slot: Int, stream: Int32) {
        self.streams[slot].interimAnswers += 1
        guard self.streams[slot].interimAnswers > HTTP2ClientConfiguration.maxInterimAnswers,
            !self.streams[slot].isAnswered
        else { return }
        let limit = "more than \(HTTP2ClientConfiguration.maxInterimAnswers) interim answers (1xx) came to one request"
        self.cut(slot: slot, at: limit)
        self.resetStream(stream)
        self.machine.drain(limit)
    }

    /// Copies what fits of a request's body; the library says how much the windows and the frame size allow.
    static let readBody: nghttp2_data_source_read_callback = { _, _, target, length, flags, source, userData in
        let owner = ClientSession.of(userData)
        let slot = Int(bitPattern: source!.pointee.ptr) - 1
        let body = owner.streams[slot].body
        let sent = owner.streams[slot].sent
        let count = min(length, body.count - sent)
        UnsafeMutableRawPointer(target!).copyMemory(from: body.baseAddress! + sent, byteCount: count)
        owner.streams[slot].sent = sent + count
        owner.streams[slot].isWritten = true
        if sent + count == body.count { flags!.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
        return count
    }
}
