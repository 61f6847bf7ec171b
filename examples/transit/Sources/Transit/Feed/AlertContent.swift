import Crypto
import Foundation

/// What makes a version: a rider is told again when this changes, and not for anything else.
///
/// A translation that is added changes nothing for those who read the agency's own language, so only that one's text
/// counts. The order of entities and periods says nothing.
package struct AlertContent: Sendable, Hashable, Codable {
    package var header: String
    package var details: String
    package var severity: Severity
    package var effect: Effect
    package var periods: [ActivePeriod]
    package var entities: [InformedEntity]

    package init(_ alert: ServiceAlert) {
        header = alert.header.translations.first?.text ?? ""
        details = alert.details.translations.first?.text ?? ""
        severity = alert.severity
        effect = alert.effect
        periods = Set(alert.periods).sorted { ($0.start ?? .min, $0.end ?? .max) < ($1.start ?? .min, $1.end ?? .max) }
        entities = Set(alert.entities).sorted { Self.order($0) < Self.order($1) }
    }

    /// Sixteen digits that stand for the content in the journal.
    package var fingerprint: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Strings and whole numbers can always be encoded.
        let bytes = (try? encoder.encode(self)) ?? Data()
        return SHA256.hash(data: bytes).prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func order(_ entity: InformedEntity) -> String {
        [
            entity.agency, entity.route, entity.routeType.map(String.init), entity.trip, entity.stop,
            entity.direction.map(String.init),
        ].map { $0 ?? "" }.joined(separator: "\u{1F}")
    }
}
