import Foundation
import MartletHTTP

extension ServeSettings {
    /// Reads how much clients may ask for.
    ///
    /// - Throws: `CommandFailure` or `Failure` naming the setting that has no proper value.
    mutating func readClientLimits(_ settings: Settings) throws {
        if let count = try settings.number("connections", in: 1...1_000_000) { api.connections.connections = count }
        if let count = try settings.number("connectionsPerAddress", in: 0...1_000_000) {
            api.connections.connectionsPerAddress = count
        }
        let proxies = settings.string("trustedProxies")?.split(separator: ",") ?? []
        api.proxies = try TrustedProxies(proxies.map { $0.trimmingCharacters(in: .whitespaces) })
        let quotas: [(String, WritableKeyPath<QuotaSettings, Quota>)] = [
            ("quotas.events", \.events), ("quotas.eventBytes", \.eventBytes),
            ("quotas.registrations", \.registrations), ("quotas.tests", \.tests),
            ("quotas.testsOfApp", \.testsOfApp),
        ]
        for (key, path) in quotas {
            guard let number = try settings.number(key, in: 0...1_000_000_000) else { continue }
            api.quotas[keyPath: path].perHour = number
        }
        if let count = try settings.number("quotas.installationsPerAddress", in: 0...1_000_000) {
            api.quotas.installationsPerAddress = count
        }
        if let count = try settings.number("quotas.devicesPerUser", in: 0...1_000_000) {
            api.quotas.devicesPerUser = count
        }
        // In MiB.
        if let size = try settings.number("eventReserve", in: 0...1_000_000_000) {
            api.eventReserve = size * 1024 * 1024
        } else if let disk = data.disk {
            api.eventReserve = APISettings.eventReserve(ofDisk: disk.total)
        }
        api.freeDiskBytes = { [data] in data.disk?.free }
    }
}
