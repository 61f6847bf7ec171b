import Hummingbird
import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

/// Several devices in one request. Each is read, admitted or refused on its own, as if it had a request of its own.
extension MartletAPI {
    func registerDevices(_ request: DeviceBatchRequest, _ call: Call) async throws -> Reply<DeviceBatchResponse> {
        try check(count: request.devices.count, at: "devices")
        let admitted = try await admit(request.devices, call.caller)
        let outcomes = try await registrar.register(admitted, by: call.caller.registrant)
        await recordImport(admitted, outcomes.map { try? $0.get().isNew }, by: call.caller)
        let receipts = outcomes.enumerated().map { position, outcome in
            switch outcome {
            case .success(let registered): DeviceReceipt(id: registered.endpoint.id, isNew: registered.isNew)
            case .failure(let failure): DeviceReceipt(refused: failure.inside("devices[\(position)]").detail)
            }
        }
        return Reply(DeviceBatchResponse(receipts: receipts))
    }

    func removeDevices(_ request: DeviceBatchDeletion, _ call: Call) async throws -> Reply<DeviceBatchResponse> {
        try check(count: request.ids.count, at: "ids")
        let app = try await app(call.query("app"), for: call.caller)
        let targets = request.ids.map { EndpointTarget.id($0, of: app.row) }
        let removed = try await store.updateEndpoints(targets, EndpointUpdate(status: .removed(.byRequest)))
        if let actor = call.caller.auditActor {
            let drafts = removed.compactMap(\.self).map {
                let before = JSONValue.shown(DeviceResponse($0))
                return AuditDraft("device.delete", of: AuditSubject($0), by: actor, app: app.row, before: before)
            }
            await AuditRecorder(store: store, logger: logger).record(drafts)
        }
        let receipts = removed.enumerated().map { position, endpoint in
            endpoint.map { DeviceReceipt(removed: $0.id) }
                ?? DeviceReceipt(refused: Failure.notFound("device").at("ids[\(position)]").detail)
        }
        return Reply(DeviceBatchResponse(receipts: receipts))
    }

    private func check(count: Int, at field: String) throws(Failure) {
        guard !(1...DeviceBatchRequest.limit).contains(count) else { return }
        throw .invalid(
            field,
            "One request has 1 to \(DeviceBatchRequest.limit) devices; this one has \(count).",
            hint: count == 0 ? nil : "Send them in several requests."
        )
    }

    /// Writes one line for all of a request.
    ///
    /// - Parameter areNew: whether each device is new; `nil` of one that was refused.
    private func recordImport(
        _ admitted: [Result<(DeviceRequest, App), Failure>],
        _ areNew: [Bool?],
        by caller: Caller
    ) async {
        let known = areNew.compactMap(\.self)
        guard !known.isEmpty else { return }
        let apps = Set(admitted.compactMap { try? $0.get().1 })
        await record(
            "device.import",
            of: AuditSubject("device", "batch"),
            by: caller,
            app: apps.count == 1 ? apps.first?.row : nil,
            after: [
                "devices": .integer(Int64(known.count)), "new": .integer(Int64(known.count { $0 })),
                "refused": .integer(Int64(areNew.count - known.count)),
                "apps": .array(apps.map(\.name).sorted().map(JSONValue.string)),
            ]
        )
    }

    /// The devices with their apps, each of which is looked up once.
    ///
    /// - Throws: what is no device's fault.
    private func admit(
        _ devices: [JSONValue],
        _ caller: Caller
    ) async throws -> [Result<(DeviceRequest, App), Failure>] {
        var apps = FoundByName<String?, App>()
        var admitted: [Result<(DeviceRequest, App), Failure>] = []
        for device in devices {
            do {
                let request = try read(device)
                let app = try await apps.value(request.app) { try await self.app(request.app, for: caller) }
                admitted.append(.success((request, app)))
            } catch let failure as Failure where failure.code.status.code < 500 {
                admitted.append(.failure(failure))
            }
        }
        return admitted
    }

    private func read(_ device: JSONValue) throws -> DeviceRequest {
        try DeviceRequest.schema.check(device)
        return try DocumentDecoder.decode(DeviceRequest.self, from: device)
    }
}
