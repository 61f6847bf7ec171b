import Foundation
import Logging
import MartletWire

/// Writes each log event as one line to standard error.
struct StandardErrorLog: LogHandler {
    let label: String
    let format: LogFormat
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    init(label: String, level: Logger.Level, format: LogFormat) {
        self.label = label
        self.format = format
        logLevel = level
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
        if let given = event.metadata { all.merge(given) { $1 } }
        if let error = event.error { all["error"] = "\(error)" }
        let now = UTCTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
        let line =
            switch format {
            case .text: text(event, now, all)
            case .json: json(event, now, all)
            }
        // One write a line, so that lines of several threads do not run into each other.
        StandardStream.error(line + "\n")
    }

    private func text(_ event: LogEvent, _ now: UTCTime, _ metadata: Logger.Metadata) -> String {
        var line = "\(now) \(event.level) \(label): \(event.message)"
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) { line += " \(key)=\(value)" }
        return TextWidth.printable(line)
    }

    private func json(_ event: LogEvent, _ now: UTCTime, _ metadata: Logger.Metadata) -> String {
        let document: JSONValue = .object([
            "time": .string(now.description),
            "level": .string(event.level.rawValue),
            "label": .string(label),
            "message": .string("\(event.message)"),
            "metadata": .object(metadata.mapValues(Self.json)),
        ])
        return (try? document.json()).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    private static func json(_ value: Logger.Metadata.Value) -> JSONValue {
        switch value {
        case .string(let text): .string(text)
        case .stringConvertible(let value): .string(value.description)
        case .array(let values): .array(values.map(json))
        case .dictionary(let members): .object(members.mapValues(json))
        }
    }
}
