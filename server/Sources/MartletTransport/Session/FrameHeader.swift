internal import CNghttp2

extension UnsafePointer<nghttp2_frame> {
    /// The frame's header, read in place: every member of the union starts with it, and the union is large to copy.
    var header: nghttp2_frame_hd {
        UnsafeRawPointer(self).assumingMemoryBound(to: nghttp2_frame_hd.self).pointee
    }

    /// The frame's type.
    var type: UInt32 { UInt32(self.header.type) }

    /// True when the frame ends its stream in its direction.
    var endsStream: Bool { self.header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0 }

    /// True when a HEADERS frame has the given category.
    func isHeaders(_ category: nghttp2_headers_category) -> Bool {
        self.type == NGHTTP2_HEADERS.rawValue && self.pointee.headers.cat == category
    }
}
