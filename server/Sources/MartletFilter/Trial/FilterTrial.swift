/// A policy and a message, as a JSON line: `{"scope", "policy", "attributes" or "body"}`.
struct FilterTrial {
    var scope = FilterScope.messageAttributes
    /// The policy's text, whether the line has it as a string or as the object itself.
    var policy: [UInt8]?
    var attributes: [FilterAttribute] = []
    var body: [UInt8]?
    /// Whether errors are worded as `Subscribe` words them.
    var isSubscribe = false

    /// Why a line is none.
    struct Defect: Error {
        var reason: String
    }

    private var tokenizer: JSONTokenizer

    /// Reads a line; members that it does not know are passed over.
    ///
    /// - Throws: what is wrong with it.
    static func read(_ line: [UInt8]) throws(Defect) -> FilterTrial {
        guard line.contains(where: { ![0x20, 0x09, 0x0D].contains($0) }) else {
            throw Defect(reason: #"The line is blank; it must be an object with "policy" and "attributes" or "body""#)
        }
        var trial = FilterTrial(tokenizer: JSONTokenizer(line))
        do {
            try trial.read()
        } catch let error as JSONSyntaxError {
            throw Defect(reason: "The line is not JSON. \(error.message(in: line))")
        } catch let defect as Defect {
            throw defect
        } catch let error as FilterPolicyError {
            throw Defect(reason: error.message(isSubscribe: trial.isSubscribe))
        } catch {
            throw Defect(reason: "\(error)")
        }
        return trial
    }

    private init(tokenizer: JSONTokenizer) { self.tokenizer = tokenizer }

    private mutating func read() throws {
        guard try tokenizer.next() == .startObject else { throw Defect(reason: "The line is not a JSON object") }
        var scope: String?
        while try tokenizer.next() == .name {
            switch try tokenizer.text() {
            case "scope": scope = try string("scope")
            case "policy": policy = try text()
            case "body": body = try text()
            case "attributes": try readAttributes()
            case "call": isSubscribe = try string("call") == "Subscribe"
            default: _ = try skip()
            }
        }
        // The end of the object has been read; what follows it is an error.
        _ = try tokenizer.next()
        if let scope { self.scope = try FilterScope(parsing: scope) }
        if policy == nil { throw Defect(reason: "The line has no policy") }
    }

    private mutating func string(_ name: String) throws -> String {
        guard try tokenizer.next() == .string else { throw Defect(reason: "'\(name)' must be a string") }
        return try tokenizer.text().string
    }

    /// The text of a string, or the bytes of any other value; `nil` for null.
    private mutating func text() throws -> [UInt8]? {
        let start = try skip()
        switch start.token {
        case .string: return try tokenizer.text().bytes
        case .null: return nil
        default: return Array(tokenizer.bytes[start.offset..<tokenizer.position])
        }
    }

    /// Passes over a value; says where it begins and with what.
    private mutating func skip() throws(JSONSyntaxError) -> (token: JSONTokenizer.Token, offset: Int) {
        let depth = tokenizer.depth
        let first = try tokenizer.next()
        let offset = tokenizer.range.lowerBound
        while tokenizer.depth > depth { _ = try tokenizer.next() }
        return (first, offset)
    }

    private mutating func readAttributes() throws {
        switch try tokenizer.next() {
        case .null: return
        case .startObject: break
        default: throw Defect(reason: "'attributes' must be an object")
        }
        attributes = []
        while try tokenizer.next() == .name {
            let name = try tokenizer.text().string
            guard try tokenizer.next() == .startObject else {
                throw Defect(reason: "The attribute '\(name)' must be an object")
            }
            var type: String?
            var value: String?
            while try tokenizer.next() == .name {
                switch try tokenizer.text() {
                case "DataType", "Type": type = try string("DataType")
                case "StringValue", "Value": value = try string("StringValue")
                default: _ = try skip()
                }
            }
            guard let type else { throw Defect(reason: "The attribute '\(name)' has no DataType") }
            attributes.append(FilterAttribute(name: name, dataType: type, value: value))
        }
    }
}
