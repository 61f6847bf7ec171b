/// Reads a body that is a JSON object into its values, without recursion.
struct BodyReader {
    /// An open array or object.
    private struct Frame {
        /// The path of what it holds; of an object's members it is where their names go on from.
        var node: Int32
        /// The element of an array that it lies in.
        var element: Int32
        /// The array's number; -1 for an object.
        var array: Int32
    }

    private var tokenizer: JSONTokenizer
    private var fields = Fields()
    private var frames: [Frame] = []
    private var arrays: Int32 = 0
    /// The path that the next value has, if it follows a name.
    private var named: Int32 = 0

    /// What a body holds; `nil` if it is no JSON object.
    static func read(_ bytes: [UInt8]) -> Fields? {
        var reader = BodyReader(tokenizer: JSONTokenizer(bytes))
        return try? reader.read()
    }

    private init(tokenizer: JSONTokenizer) { self.tokenizer = tokenizer }

    private mutating func read() throws(JSONSyntaxError) -> Fields? {
        guard try tokenizer.next() == .startObject else { return nil }
        frames.append(Frame(node: 0, element: 0, array: -1))
        while let frame = frames.last {
            let token = try tokenizer.next()
            switch token {
            case .endObject, .endArray: frames.removeLast()
            case .name: named = fields.descend(from: frame.node, try tokenizer.text())
            case .startObject, .startArray: enter(token, from: frame)
            default:
                guard let scalar = try tokenizer.scalar(token) else { return nil }
                fields.add(scalar, at: frame.array < 0 ? named : frame.node, in: frame.element)
            }
        }
        return try tokenizer.next() == .end ? fields : nil
    }

    private mutating func enter(_ token: JSONTokenizer.Token, from frame: Frame) {
        let isElement = frame.array >= 0
        let element = isElement ? fields.addElement(in: frame.element, of: frame.array) : frame.element
        var array: Int32 = -1
        if token == .startArray {
            array = arrays
            arrays += 1
        }
        frames.append(Frame(node: isElement ? frame.node : named, element: element, array: array))
    }
}
