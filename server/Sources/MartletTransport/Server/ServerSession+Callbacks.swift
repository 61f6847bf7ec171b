internal import CNghttp2
import NIOCore

// The library's callbacks: they find their session by its user data and the stream's slot by the stream's.
extension ServerSession {
    static func of(_ userData: UnsafeMutableRawPointer?) -> ServerSession {
        Unmanaged<ServerSession>.fromOpaque(userData!).takeUnretainedValue()
    }

    static func setCallbacks(_ callbacks: OpaquePointer) {
        nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks) { session, header, _ in
            guard let header, UInt32(header.pointee.type) == NGHTTP2_HEADERS.rawValue else { return 0 }
            let stream = header.pointee.stream_id
            // Opened after a higher one, or long forgotten (RFC 9113, section 5.1.1); the library would ignore it.
            if stream < nghttp2_session_get_last_proc_stream_id(session),
                nghttp2_session_find_stream(session, stream) == nil
            {
                nghttp2_session_terminate_session(session, NGHTTP2_PROTOCOL_ERROR.rawValue)
            }
            return 0
        }
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { session, frame, userData in
            guard let frame, frame.isHeaders(NGHTTP2_HCAT_REQUEST) else { return 0 }
            let owner = ServerSession.of(userData)
            let stream = frame.header.stream_id
            guard owner.streams.count < owner.maxConcurrentStreams else {
                nghttp2_submit_rst_stream(
                    session,
                    UInt8(NGHTTP2_FLAG_NONE.rawValue),
                    stream,
                    NGHTTP2_REFUSED_STREAM.rawValue
                )
                return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
            }
            let slot = owner.streams.acquire()
            nghttp2_session_set_stream_user_data(session, stream, NGHTTP2Session.userData(slot: slot))
            return 0
        }
        nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            _,
            frame,
            name,
            nameCount,
            value,
            valueCount,
            flags,
            userData in
            // Trailers are of no use to a request that is delivered whole.
            guard let frame, frame.isHeaders(NGHTTP2_HCAT_REQUEST) else { return 0 }
            let owner = ServerSession.of(userData)
            guard let slot = owner.session.slot(of: frame.header.stream_id) else { return 0 }
            let isTaken = owner.append(
                name: UnsafeBufferPointer(start: name, count: nameCount),
                value: UnsafeBufferPointer(start: value, count: valueCount),
                isIndexed: UInt32(flags) & NGHTTP2_NV_FLAG_NO_INDEX.rawValue == 0,
                slot: slot
            )
            return isTaken ? 0 : NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, stream, data, count, userData in
            let owner = ServerSession.of(userData)
            guard let slot = owner.session.slot(of: stream) else { return 0 }
            owner.append(body: UnsafeBufferPointer(start: data, count: count), slot: slot)
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, userData in
            guard let frame, frame.endsStream else { return 0 }
            guard frame.type == NGHTTP2_DATA.rawValue || frame.type == NGHTTP2_HEADERS.rawValue else { return 0 }
            ServerSession.of(userData).deliver(stream: frame.header.stream_id)
            return 0
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, stream, _, userData in
            let owner = ServerSession.of(userData)
            guard let slot = owner.session.slot(of: stream) else { return 0 }
            owner.streams[slot].reset()
            owner.streams.release(slot)
            return 0
        }
    }

    /// Copies what fits of an answer's body; the library says how much the windows allow.
    static let readResponse: nghttp2_data_source_read_callback = { _, _, target, length, flags, source, userData in
        let owner = ServerSession.of(userData)
        let slot = Int(bitPattern: source!.pointee.ptr) - 1
        let count = min(length, owner.streams[slot].response?.readableBytes ?? 0)
        owner.streams[slot].response?.readWithUnsafeReadableBytes { bytes in
            UnsafeMutableRawPointer(target!).copyMemory(from: bytes.baseAddress!, byteCount: count)
            return count
        }
        if owner.streams[slot].response?.readableBytes ?? 0 == 0 {
            flags!.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue
        }
        return count
    }
}
