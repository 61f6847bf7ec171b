package import Foundation

/// The riders with their favourites: one JSON object a line.
package struct RiderFile: Sendable {
    package struct Failure: Error, Sendable, CustomStringConvertible {
        package var description: String
    }

    package let path: String
    /// The largest file that is read.
    private static let limit = 1024 * 1024 * 1024
    private var stamp: Date?

    package init(path: String) { self.path = path }

    /// - Returns: the riders where the file has changed since the last call.
    package mutating func changed() throws(Failure) -> [Rider]? {
        do { return try readIfChanged() } catch {
            let words = "The riders' file \(path) cannot be read: \(JSONProblem.reading(error))"
            throw error as? Failure ?? Failure(description: words)
        }
    }

    private mutating func readIfChanged() throws -> [Rider]? {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        let stamp = attributes[.modificationDate] as? Date
        guard stamp != self.stamp || stamp == nil else { return nil }
        guard (attributes[.size] as? Int ?? 0) <= Self.limit else {
            throw Failure(description: "The riders' file \(path) is too large.")
        }
        let riders = try Self.read(Data(contentsOf: URL(fileURLWithPath: path)), name: path)
        self.stamp = stamp
        return riders
    }

    static func read(_ bytes: Data, name: String) throws -> [Rider] {
        let decoder = JSONDecoder()
        var riders: [Rider] = []
        var seen: Set<String> = []
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            guard !line.isEmpty else { continue }
            func wrong(_ what: String) -> Failure { Failure(description: "\(name), line \(index + 1): \(what).") }
            let rider: Rider
            do { rider = try decoder.decode(Rider.self, from: line) } catch {
                throw wrong("it is no rider: \(JSONProblem.words(error))")
            }
            guard seen.insert(rider.id).inserted else { throw wrong("rider '\(rider.id)' is there twice") }
            for window in rider.favourites.flatMap({ $0.windows ?? [] }) {
                guard TravelWindow.minutes(window.from) != nil, TravelWindow.minutes(window.to) != nil,
                    !window.days.isEmpty, window.days.allSatisfy({ (1...7).contains($0) })
                else { throw wrong("a window needs days from 1 to 7, and times as HH:MM") }
            }
            riders.append(rider)
        }
        return riders
    }

    package static func bytes(_ riders: [Rider]) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try riders.reduce(into: Data()) { $0 += try encoder.encode($1) + Data("\n".utf8) }
    }
}
