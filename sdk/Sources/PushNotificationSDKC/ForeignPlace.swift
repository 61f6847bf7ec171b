/// Where C wants a text to be written.
struct ForeignPlace {
    private let bytes: UnsafeMutablePointer<CChar>?
    private let size: Int32

    init(_ bytes: UnsafeMutablePointer<CChar>?, size: Int32) {
        self.bytes = bytes
        self.size = size
    }

    /// Writes the text and a zero byte where both fit, else an empty text: half a token is of no use.
    ///
    /// - Returns: the length of the whole text in bytes; 0 where there is none.
    func write(_ text: String?) -> Int32 {
        let text = text ?? ""
        let length = text.utf8.count
        if let bytes, size > 0 {
            bytes[0] = 0
            if length < size {
                for (index, byte) in text.utf8.enumerated() { bytes[index] = CChar(bitPattern: byte) }
                bytes[length] = 0
            }
        }
        return Int32(clamping: length)
    }
}
