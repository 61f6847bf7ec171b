import MartletCore
import MartletWire

// What a submission's documents look like as they are stored: the texts that their `Codable` conformances read, written
// without Foundation's encoder, which took a tenth of what a submission costs.

/// An audience as JSON text.
func storedText(_ audience: Audience) throws -> String {
    var json = JSONText()
    switch audience {
    case .users(let ids):
        json.write(literal: #"{"users":{"_0":"#)
        json.write(ids) { $0 }
        json.write(literal: "}}")
    case .endpoints(let ids):
        json.write(literal: #"{"endpoints":{"_0":"#)
        json.write(ids, text: \.description)
        json.write(literal: "}}")
    case .tokens(let tokens, let platform):
        json.write(literal: #"{"tokens":{"_0":"#)
        json.write(tokens) { $0 }
        json.write(literal: #","platform":"#)
        json.write(platform.rawValue)
        json.write(literal: "}}")
    default: return try encodedJSON(audience)
    }
    return json.text
}

/// What a notification says as JSON text.
func storedText(_ content: Content) throws -> String {
    var json = JSONText()
    json.write(literal: #"{"data":"#)
    try json.write(.object(content.data))
    json.write(literal: #","overrides":["#)
    // A pair after the other, as Foundation has dictionaries whose keys are no strings.
    for (index, override) in content.overrides.enumerated() {
        if index > 0 { json.write(literal: ",") }
        json.write(override.key.rawValue)
        json.write(literal: ",")
        try json.write(override.value)
    }
    json.write(literal: "]")
    let texts: [(StaticString, String?)] = [
        (#","title":"#, content.title), (#","subtitle":"#, content.subtitle), (#","body":"#, content.body),
        (#","image":"#, content.image), (#","deepLink":"#, content.deepLink), (#","sound":"#, content.sound),
        (#","actionCategory":"#, content.actionCategory), (#","threadID":"#, content.threadID),
    ]
    for (member, text) in texts {
        guard let text else { continue }
        json.write(literal: member)
        json.write(text)
    }
    if let badge = content.badge {
        json.write(literal: #","badge":"#)
        try json.write(.integer(Int64(badge)))
    }
    json.write(literal: "}")
    return json.text
}

/// The inbox item that a notification leaves as JSON text.
func storedText(_ inbox: InboxDraft) throws -> String {
    var members: [String] = []
    if let key = inbox.key {
        var json = JSONText()
        json.write(key)
        members.append(#""key":\#(json.text)"#)
    }
    if let moment = inbox.expiresAt { members.append(#""expiresAt":\#(moment.rawValue)"#) }
    if let content = inbox.content { members.append(#""content":\#(try storedText(content))"#) }
    return "{\(members.joined(separator: ","))}"
}

/// Header fields as JSON text.
func storedText(_ headers: [String: String]) -> String {
    var json = JSONText()
    json.write(literal: "{")
    for (index, header) in headers.enumerated() {
        if index > 0 { json.write(literal: ",") }
        json.write(header.key)
        json.write(literal: ":")
        json.write(header.value)
    }
    json.write(literal: "}")
    return json.text
}

extension JSONText {
    fileprivate mutating func write<Element>(_ elements: [Element], text: (Element) -> String) {
        write(literal: "[")
        for (index, element) in elements.enumerated() {
            if index > 0 { write(literal: ",") }
            write(text(element))
        }
        write(literal: "]")
    }
}
