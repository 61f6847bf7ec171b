import Foundation
import MartletWire
import PushNotificationSDKCore
import PushNotificationSDKTesting

/// A server for one app that takes every registration and every event, and keeps them.
final class Backend: HTTPTransport {
    let registrations = Journal<TokenRegistrationRequest>()
    let events = Journal<EventRequest>()
    /// What each request presented as its installation's secret.
    let secrets = Journal<String?>()

    func send(_ call: HTTPCall) async throws(TransportError) -> HTTPAnswer {
        secrets.add(call.headers[HeaderName.installationSecret])
        switch call.url.lastPathComponent {
        case "tokens":
            if let registration = call.registration { registrations.add(registration) }
            return .registered(by: call)
        case "events":
            guard let body = Self.unpacked(call),
                let request = try? JSONDecoder().decode(EventsRequest.self, from: body)
            else { return .error(400, .malformedRequest) }
            for event in request.events { events.add(event) }
            return .json(200, EventsResponse(receipts: request.events.map { _ in .kept }))
        default: return .error(404, .notFound)
        }
    }

    /// How many events of a type there are of a message.
    func count(_ type: EventType, _ message: String? = nil) -> Int {
        events.entries.filter { $0.type == type && (message == nil || $0.messageID == message) }.count
    }

    /// An event came once, however often it was sent.
    var hasNoneTwice: Bool { Set(events.entries.map(\.eventID)).count == events.entries.count }

    /// gzip unpacks what the SDK packed: another program than the one that is tested.
    private static func unpacked(_ call: HTTPCall) -> Data? {
        guard call.headers["Content-Encoding"] == "gzip" else { return call.body }
        let gzip = Process()
        gzip.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        gzip.arguments = ["gzip", "-dc"]
        let input = Pipe()
        let output = Pipe()
        gzip.standardInput = input
        gzip.standardOutput = output
        guard (try? gzip.run()) != nil else { return nil }
        // A pipe holds 64 KiB, and a batch of these tests is far smaller than that.
        input.fileHandleForWriting.write(call.body ?? Data())
        try? input.fileHandleForWriting.close()
        let body = output.fileHandleForReading.readDataToEndOfFile()
        gzip.waitUntilExit()
        return gzip.terminationStatus == 0 ? body : nil
    }
}
