import HTTPTypes
import Hummingbird
import MartletCore
import MartletWire

/// What phones report: by the SDK, and by clients of Treasure Data's ingest interface.
extension MartletAPI {
    /// Takes the SDK's events. An installation reports its own: the secret says which it is.
    func uploadEvents(_ call: Call) async throws -> ReceiptsReply {
        let events = try EventsUpload.events(in: call.body)
        guard let secret = call.header(HeaderName.installationSecret) else { throw Failure.unprovenInstallation }
        let app = try await app(call.query("app"), for: call.caller)
        let token = call.header(HeaderName.userToken)
        var user: String?
        if let token {
            do { user = try await authenticator.verify(token, for: app) } catch let failure as Failure {
                throw failure.at(HeaderName.userToken)
            }
        }
        var upload = EventsUpload(events, as: .martlet)
        if !upload.installations.isEmpty {
            let own = try await installation(of: upload, app: app, secret: SecretHash(of: secret))
            upload.refuseEvents(exceptOf: own)
        }
        let rule = app.identity.mode == .signed ? EventBatch.UserRule.proven(user) : .asserted
        return ReceiptsReply(receipts: try await keep(upload, app: app, users: rule))
    }

    /// Takes records in Treasure Data's format. The database and the table are the client's own names for what is the
    /// app's events here.
    func ingestEvents(_ call: Call) async throws -> ReceiptsReply {
        let events = try EventsUpload.events(in: call.body)
        let app = try await app(call.query("app"), for: call.caller)
        let names = [try call.parameter("database"), try call.parameter("table")]
        var upload = EventsUpload(events, as: .treasureData)
        if !names.allSatisfy(EventsUpload.isCollectionName) { upload.refuseCollection() }
        let rule = app.identity.mode == .signed ? EventBatch.UserRule.proven(nil) : .asserted
        let receipts = try await keep(upload, app: app, users: rule)
        return ReceiptsReply(receipts: receipts, mediaType: EventsUpload.treasureDataType)
    }

    /// The installation whose secret was presented, among the first few that the events name.
    private func installation(of upload: EventsUpload, app: App, secret: SecretHash) async throws -> PublicID {
        for id in upload.installations.prefix(EventsUpload.triedInstallations) {
            if try await store.confirmInstallation(app.row, id, secret: secret) { return id }
        }
        throw Failure.unprovenInstallation
    }

    private func keep(
        _ upload: EventsUpload,
        app: App,
        users: EventBatch.UserRule
    ) async throws -> [EventReceipt] {
        let events = upload.kept
        let receipts = upload.receipts
        var recorded = 0
        if !events.isEmpty {
            recorded = try await store.record(
                EventBatch(app: app.row, events: events, users: users, retention: settings.eventRetention)
            )
        }
        eventMetrics.count(
            recorded: recorded,
            known: events.count - recorded,
            refused: receipts.count - events.count
        )
        return receipts
    }
}

/// The events of one request, each read or refused. A pure value.
struct EventsUpload {
    private var results: [Result<EventDraft, EventReceipt.Failure>]

    /// The media type of Treasure Data's requests and answers.
    static let treasureDataType = "application/vnd.treasuredata.v1+json"
    /// How many installations are tried with the secret. Ours: more than one in an upload is an error of the client.
    static let triedInstallations = 4

    /// Reads each event by itself.
    init(_ events: [JSONValue], as format: EventReader.Format) {
        results = events.map { json in
            do throws(EventReceipt.Failure) {
                return .success(try EventReader.read(json, as: format))
            } catch {
                return .failure(error)
            }
        }
    }

    /// The events of a body.
    ///
    /// - Throws: `Failure` when it is not JSON, or not `{"events":[…]}` with 1 to 500 of them.
    static func events(in body: [UInt8]) throws(Failure) -> [JSONValue] {
        guard case .object(let members) = try JSONReader.read(body), case .array(let events)? = members["events"] else {
            throw Failure(
                .malformedRequest,
                "The body is not a list of events.",
                hint: #"Send {"events": [{"event_id": "…", "type": "open", …}]}."#,
                field: "events"
            )
        }
        guard (1...EventsRequest.limit).contains(events.count) else {
            throw .invalid(
                "events",
                "One request has 1 to \(EventsRequest.limit) events; this one has \(events.count).",
                hint: "Send them in several requests."
            )
        }
        return events
    }

    /// Whether a text can be the name of a database or a table: 1 to 255 letters, digits and underscores. Treasure Data
    /// takes three small ones at least; there is no reason to be as strict.
    static func isCollectionName(_ name: String) -> Bool {
        (1...255).contains(name.utf8.count)
            && name.utf8.allSatisfy { unit in
                (0x30...0x39).contains(unit) || (0x61...0x7A).contains(unit | 0x20) || unit == UInt8(ascii: "_")
            }
    }

    /// The installations that the events name, in the order in which they come.
    var installations: [PublicID] {
        var seen: Set<PublicID> = []
        return kept.compactMap(\.installation).filter { seen.insert($0).inserted }
    }

    /// The events that are to be written.
    var kept: [EventDraft] { results.compactMap { try? $0.get() } }

    /// What became of each event, by position.
    var receipts: [EventReceipt] {
        results.map { result in
            switch result {
            case .success: .kept
            case .failure(let failure): .refused(failure)
            }
        }
    }

    /// Refuses what other installations are said to have reported.
    mutating func refuseEvents(exceptOf own: PublicID) {
        let description = "installation_id: another installation's secret was presented."
        refuse(EventReceipt.Failure.foreignInstallation, description) { $0.installation != own }
    }

    /// Refuses everything, because of the database's or the table's name.
    mutating func refuseCollection() {
        let description = "A name has 1 to 255 letters, digits and underscores."
        refuse(EventReceipt.Failure.invalidCollectionName, description) { _ in true }
    }

    private mutating func refuse(_ name: String, _ description: String, where condition: (EventDraft) -> Bool) {
        results = results.map { result in
            guard case .success(let event) = result, condition(event) else { return result }
            return .failure(EventReceipt.Failure(name: name, description: description))
        }
    }
}

/// An answer with one receipt for each event.
struct ReceiptsReply: Answering {
    static var shape: AnswerShape { .bare(EventsResponse.schema) }
    /// The receipts.
    var receipts: [EventReceipt]
    /// Another media type than JSON's own.
    var mediaType: String?

    func response(default status: HTTPResponse.Status) throws -> Response {
        var response = try Response.json(EventsResponse(receipts: receipts), status: status)
        if let mediaType { response.headers[.contentType] = mediaType }
        return response
    }
}

extension Failure {
    /// The refusal of an installation that does not prove itself.
    fileprivate static let unprovenInstallation = Failure(
        .installationSecretRequired,
        "The installation's secret was not presented, or is of none that the events name.",
        hint: "Send what POST /api/v1/tokens returned in the header '\(HeaderName.installationSecret)'; "
            + "an installation that is not registered registers first.",
        field: HeaderName.installationSecret
    )
}
