import HTTPTypes
import Hummingbird
import MartletCore
import MartletStore
import MartletWire

/// What phones report: by the SDK, and by clients of Treasure Data's ingest interface.
extension MartletAPI {
    /// Takes the SDK's events. An installation reports its own: the secret says which it is.
    func uploadEvents(_ call: Call) async throws -> ReceiptsReply {
        let app = try await app(call.query("app"), for: call.caller)
        let own = try await installation(of: call, app: app)
        let token = call.header(HeaderName.userToken)
        var user: String?
        if let token {
            do { user = try await authenticator.verify(token, for: app) } catch let failure as Failure {
                throw failure.at(HeaderName.userToken)
            }
        }
        try checkRoomForEvents(call)
        let received = try await call.upload(limit: settings.eventBodyLimit)
        var upload = try await read(received, call) {
            try EventsUpload(try countedBody(received, installation: own, call), as: .martlet, providers: providers)
        }
        try takeQuota(of: upload, installation: own, call)
        upload.refuseEvents(exceptOf: own)
        let rule = app.identity.mode == .signed ? EventBatch.UserRule.proven(user) : .asserted
        return ReceiptsReply(receipts: try await keep(upload, app: app, users: rule))
    }

    /// Takes records in Treasure Data's format. The database and the table are the client's own names for what is the
    /// app's events here.
    func ingestEvents(_ call: Call) async throws -> ReceiptsReply {
        let app = try await app(call.query("app"), for: call.caller)
        let names = [try call.parameter("database"), try call.parameter("table")]
        try checkRoomForEvents(call)
        let received = try await call.upload(limit: settings.eventBodyLimit)
        var upload = try await read(received, call) {
            let body = try countedBody(received, installation: nil, call)
            return try EventsUpload(body, as: .treasureData, providers: providers)
        }
        try takeQuota(of: upload, installation: nil, call)
        if !names.allSatisfy(EventsUpload.isCollectionName) { upload.refuseCollection() }
        let rule = app.identity.mode == .signed ? EventBatch.UserRule.proven(nil) : .asserted
        let receipts = try await keep(upload, app: app, users: rule)
        return ReceiptsReply(receipts: receipts, mediaType: EventsUpload.treasureDataType)
    }

    /// Takes one record in Treasure Data's older form. Its interface answers with 200 whatever happens to a record; here a
    /// record that cannot be kept is said to be wrong.
    func ingestEvent(_ call: Call) async throws -> ReceiptsReply {
        let app = try await app(call.query("app"), for: call.caller)
        let names = [try call.parameter("database"), try call.parameter("table")]
        try checkRoomForEvents(call)
        let received = try await call.upload(limit: EventsUpload.postbackLimit)
        var upload = try await read(received, call) {
            try EventsUpload(record: try countedBody(received, installation: nil, call), providers: providers)
        }
        try takeQuota(of: upload, installation: nil, call)
        if !names.allSatisfy(EventsUpload.isCollectionName) { upload.refuseCollection() }
        if let failure = upload.receipts.first?.error {
            throw Failure(.invalidValue, failure.description, hint: "Send one record, as an object.")
        }
        let rule = app.identity.mode == .signed ? EventBatch.UserRule.proven(nil) : .asserted
        return ReceiptsReply(receipts: try await keep(upload, app: app, users: rule))
    }

    /// Leaves a part of the disk to everything that is not a client's events: a client key is inside every app, and who
    /// has taken it out may fill a disk with it.
    ///
    /// - Throws: `Failure` with ``ErrorCode/overloaded``.
    private func checkRoomForEvents(_ call: Call) throws(Failure) {
        guard call.caller.isClient, let free = settings.freeDiskBytes(), free < settings.eventReserve else { return }
        var failure = Failure(
            .overloaded,
            "The disk has no more space for events.",
            hint: "Free space on the server's disk, or shorten the retention of events."
        )
        failure.retryAfter = .seconds(60)
        throw failure
    }

    /// Has a body decompressed and read, without a pause in between, so that no more bodies are decompressed at a time
    /// than there are threads.
    private func read(
        _ received: EventsBody.Received,
        _ call: Call,
        _ upload: @Sendable () throws -> EventsUpload
    ) async throws -> EventsUpload {
        try await largeBodies.read(
            received.bytes.count,
            of: call.caller,
            isCompressed: received.isCompressed,
            upload
        )
    }

    /// Counts a client's bytes before they cost anything: as they came before they are decompressed, and what they have
    /// become before it is parsed.
    ///
    /// - Throws: `Failure` with ``ErrorCode/tooManyRequests``, and as ``EventsBody/Received/inflated()`` does.
    private func countedBody(_ received: EventsBody.Received, installation: PublicID?, _ call: Call) throws(Failure)
        -> [UInt8]
    {
        guard call.caller.isClient else { return try received.inflated() }
        try quotas.takeBytes(received.bytes.count, installation: installation, address: call.client)
        let body = try received.inflated()
        let grown = body.count - received.bytes.count
        if grown > 0 { try quotas.takeBytes(grown, installation: installation, address: call.client) }
        return body
    }

    private func takeQuota(of upload: EventsUpload, installation: PublicID?, _ call: Call) throws(Failure) {
        guard call.caller.isClient else { return }
        try quotas.takeEvents(upload.receipts.count, installation: installation, address: call.client)
    }

    /// The installation whose secret was presented.
    func installation(of call: Call, app: App) async throws -> PublicID {
        guard let secret = call.header(HeaderName.installationSecret), let id = InstallationSecret.owner(of: secret),
            try await store.confirmInstallation(app.row, id, secret: SecretHash(of: secret))
        else { throw Failure.unprovenInstallation }
        return id
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
    /// The most bytes of one event as compact JSON. Treasure Data takes records of 1 MB.
    private static let eventLimit = 1 << 20

    /// The most bytes of a record in the older form: Treasure Data's.
    static let postbackLimit = 1_048_064

    /// Reads one record.
    ///
    /// - Throws: `Failure` when the body is not JSON.
    init(record body: [UInt8], providers: [Platform: any Provider]) throws(Failure) {
        let json = try JSONReader.document(body, characters: .tolerant)
        do throws(EventReceipt.Failure) {
            results = [.success(try EventReader.read(json, as: .treasureData, providers: providers))]
        } catch {
            results = [.failure(error)]
        }
    }

    /// Reads each event by itself.
    ///
    /// - Throws: `Failure` when the body is not JSON, or not `{"events":[…]}` with 1 to 500 of them.
    init(
        _ body: [UInt8],
        as format: EventReader.Format,
        providers: [Platform: any Provider]
    ) throws(Failure) {
        results = try EventsUpload.events(in: body).map { json in
            do throws(EventReceipt.Failure) {
                if body.count > EventsUpload.eventLimit { try EventsUpload.checkSize(json) }
                return .success(try EventReader.read(json, as: format, providers: providers))
            } catch {
                return .failure(error)
            }
        }
    }

    private static func checkSize(_ event: JSONValue) throws(EventReceipt.Failure) {
        guard let json = try? event.json(), json.count <= eventLimit else {
            throw .init(
                name: EventReceipt.Failure.invalidPropertyValue,
                description: "An event has at most \(eventLimit) bytes."
            )
        }
    }

    private static func events(in body: [UInt8]) throws(Failure) -> [JSONValue] {
        guard case .object(let members) = try JSONReader.document(body, characters: .tolerant),
            case .array(let events)? = members["events"]
        else {
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

    /// The events that are to be written.
    var kept: [EventDraft] { results.compactMap { try? $0.get() } }

    /// The result of each event, by position.
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
struct ReceiptsReply: ResponseGenerator {
    static var shape: AnswerShape { .bare(EventsResponse.schema) }
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
        "The installation's secret is missing, or belongs to no installation of this app.",
        hint: "Send what POST /api/v1/tokens returned in the header '\(HeaderName.installationSecret)'; "
            + "register the installation first if it is new.",
        field: HeaderName.installationSecret
    )
}
