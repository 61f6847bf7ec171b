import Foundation
import HTTPTypes
import MartletCore
import MartletWire

/// What a call is answered: the status, the header fields and a document.
struct SNSAnswer: Hashable, Sendable {
    /// The namespace of the API version 2010-03-31.
    static let namespace = "http://sns.amazonaws.com/doc/2010-03-31/"

    let status: HTTPResponse.Status
    let fields: HTTPFields
    let body: [UInt8]

    private init(_ status: Int, requestID: String, _ document: AnswerWriter) {
        self.status = HTTPResponse.Status(code: status)
        let type = document.form == .json ? "application/json" : "text/xml"
        fields = [.contentType: type, .requestID: requestID]
        body = document.bytes
    }

    /// Success.
    ///
    /// - Parameters:
    ///   - action: the operation; it gives the elements their names.
    ///   - result: writes what is in the result; `nil` for an operation whose model has none. Clients fail on a result
    ///     that is absent, so an empty one is written where there may be one.
    static func success(
        _ action: SNSAction,
        requestID: String,
        as form: AnswerWriter.Form = .xml,
        result: ((inout AnswerWriter) -> Void)? = nil
    ) -> SNSAnswer {
        let action = action.rawValue
        func write(_ writer: inout AnswerWriter) {
            writer.element("\(action)Response", attributes: " xmlns=\"\(namespace)\"") { writer in
                if let result { writer.element("\(action)Result", result) }
                writer.element("ResponseMetadata") { $0.element("RequestId", requestID) }
            }
        }
        var document = AnswerWriter(form)
        if form == .json { document.object(write) } else { write(&document) }
        return SNSAnswer(200, requestID: requestID, document)
    }

    /// A refusal.
    static func failure(_ error: SNSError, requestID: String, as form: AnswerWriter.Form = .xml) -> SNSAnswer {
        func write(_ writer: inout AnswerWriter) {
            writer.element("Error") { writer in
                writer.element("Type", error.code.fault.rawValue)
                writer.element("Code", error.code.rawValue)
                writer.element("Message", error.message)
            }
            writer.element("RequestId", requestID)
        }
        var document = AnswerWriter(form)
        // In JSON nothing is around it, as AWS has it.
        if form == .json {
            document.object(write)
        } else {
            document.element("ErrorResponse", attributes: " xmlns=\"\(namespace)\"", write)
        }
        return SNSAnswer(error.code.status, requestID: requestID, document)
    }

    /// A new id for a request, in the form of AWS's.
    static func newRequestID() -> String { UUID().uuidString.lowercased() }
}

extension HTTPField.Name {
    /// Where clients look for the id of a request first.
    static let requestID = HTTPField.Name("x-amzn-RequestId")!  // a token, see RFC 9110, section 5.6.2
}

/// Writes elements without spaces between them: as XML, or as JSON, whose members have the elements' names.
///
/// What XML 1.0 cannot carry (section 2.2: control characters but tab, line feed and carriage return; U+FFFE and U+FFFF)
/// becomes U+FFFD. It is not refused, because what is stored must stay readable whoever wrote it.
struct AnswerWriter: Sendable {
    /// The form that a document is in.
    enum Form: Sendable {
        case xml, json
    }

    let form: Form
    /// What was written.
    private(set) var bytes: [UInt8] = []

    init(_ form: Form = .xml) { self.form = form }

    /// An element with a text in it.
    ///
    /// - Parameter name: a name of the API; it is written as it is.
    mutating func element(_ name: String, _ text: String) {
        open(name)
        append(text)
        close(name)
    }

    /// An element with a text in it, or none when there is no text, as for `NextToken` on the last page: JSON says null.
    mutating func element(_ name: String, optional text: String?) {
        if let text {
            element(name, text)
        } else if form == .json {
            open(name)
            bytes += "null".utf8
        }
    }

    /// `true` or `false`.
    mutating func element(_ name: String, _ flag: Bool) {
        open(name)
        bytes += (flag ? "true" : "false").utf8
        close(name)
    }

    /// An element with others in it; an empty one when nothing is written.
    ///
    /// - Parameter attributes: what XML says behind the name.
    mutating func element(_ name: String, attributes: String = "", _ content: (inout AnswerWriter) -> Void) {
        guard form == .xml else {
            open(name)
            return object(content)
        }
        open(name + attributes)
        let start = bytes.count
        content(&self)
        if bytes.count == start {
            bytes.removeLast()
            bytes += "/>".utf8
        } else {
            close(name)
        }
    }

    /// A list, which is there even when it is empty: clients fail on a list that is absent.
    mutating func list<Item>(_ name: String, _ items: [Item], _ content: (inout AnswerWriter, Item) -> Void) {
        guard form == .xml else {
            open(name)
            bytes.append(UInt8(ascii: "["))
            for item in items {
                separate()
                object { content(&$0, item) }
            }
            bytes.append(UInt8(ascii: "]"))
            return
        }
        element(name) { writer in
            for item in items { writer.element("member") { content(&$0, item) } }
        }
    }

    /// A map of texts, in this order.
    mutating func map(_ name: String, _ entries: [(key: String, value: String)]) {
        element(name) { writer in
            for entry in entries {
                guard writer.form == .xml else {
                    writer.element(entry.key, entry.value)
                    continue
                }
                writer.element("entry") { writer in
                    writer.element("key", entry.key)
                    writer.element("value", entry.value)
                }
            }
        }
    }

    /// An object of JSON, by itself.
    mutating func object(_ content: (inout AnswerWriter) -> Void) {
        bytes.append(UInt8(ascii: "{"))
        content(&self)
        bytes.append(UInt8(ascii: "}"))
    }

    private mutating func open(_ name: String) {
        switch form {
        case .xml:
            bytes.append(UInt8(ascii: "<"))
            bytes += name.utf8
            bytes.append(UInt8(ascii: ">"))
        case .json:
            separate()
            append(name)
            bytes.append(UInt8(ascii: ":"))
        }
    }

    private mutating func close(_ name: String) {
        guard form == .xml else { return }
        bytes += "</".utf8
        bytes += name.utf8
        bytes.append(UInt8(ascii: ">"))
    }

    /// A comma, unless what is open has nothing in it yet.
    private mutating func separate() {
        guard let last = bytes.last, last != UInt8(ascii: "{"), last != UInt8(ascii: "[") else { return }
        bytes.append(UInt8(ascii: ","))
    }

    private mutating func append(_ text: String) {
        switch form {
        case .xml: appendEscaped(text)
        case .json:
            var json = JSONText()
            json.write(text)
            bytes += json.bytes
        }
    }

    private mutating func appendEscaped(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            bytes.reserveCapacity(bytes.count + utf8.count)
            for (index, byte) in utf8.enumerated() {
                switch byte {
                case UInt8(ascii: "&"): bytes += "&amp;".utf8
                case UInt8(ascii: "<"): bytes += "&lt;".utf8
                case UInt8(ascii: ">"): bytes += "&gt;".utf8
                // A reader makes a line feed of a literal one (section 2.11).
                case UInt8(ascii: "\r"): bytes += "&#xD;".utf8
                case UInt8(ascii: "\t"), UInt8(ascii: "\n"): bytes.append(byte)
                case 0..<0x20: bytes += "\u{FFFD}".utf8
                // The last byte of EF BF BE and EF BF BF, U+FFFE and U+FFFF, made BD.
                case 0xBE, 0xBF:
                    let isNoCharacter = index >= 2 && utf8[index - 1] == 0xBF && utf8[index - 2] == 0xEF
                    bytes.append(isNoCharacter ? 0xBD : byte)
                default: bytes.append(byte)
                }
            }
        }
    }
}

extension AnswerWriter.Form {
    /// What a client writes that wants JSON, in its query or its form: nothing of it has to be escaped.
    private static let parameter = Array("ContentType=JSON".utf8)

    /// The form that a request wants, whoever makes it.
    init(of request: SignedRequest) {
        self = Self.isAsked(in: Array(request.query.utf8)) || Self.isAsked(in: request.body) ? .json : .xml
    }

    private static func isAsked(in parameters: [UInt8]) -> Bool {
        var rest = parameters[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "&")) ?? rest.endIndex
            if rest[..<end].elementsEqual(parameter) { return true }
            rest = rest[end...].dropFirst()
        }
        return false
    }
}
