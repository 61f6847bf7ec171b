/// Registers several users' devices: `POST /api/v1/devices/batch`.
public struct DeviceBatchRequest: Sendable, Hashable, Codable {
    /// The devices. Each is a ``DeviceRequest``, as JSON because each is read by itself: one that is wrong is refused and
    /// keeps no other from being registered.
    public var devices: [JSONValue]

    /// The most devices of one request.
    public static let limit = 1_000

    /// Devices in the order in which they are registered.
    public init(devices: [JSONValue]) { self.devices = devices }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case devices }
}

/// What became of several devices.
public struct DeviceBatchResponse: Sendable, Hashable, Codable {
    /// One receipt for each device, by position.
    public var receipts: [DeviceReceipt]

    /// Receipts in the order of the devices.
    public init(receipts: [DeviceReceipt]) { self.receipts = receipts }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case receipts }
}

/// What became of one device of several.
public struct DeviceReceipt: Sendable, Hashable, Codable {
    /// What was done.
    public var status: DeviceReceiptStatus
    /// The endpoint's id, where the device is registered.
    public var id: PublicID?
    /// Why it was refused.
    public var error: ErrorBody.Detail?

    /// A receipt of a device that is registered.
    public init(id: PublicID, isNew: Bool) {
        self.id = id
        status = isNew ? .registered : .updated
    }

    /// A receipt of a device that was removed.
    public init(removed id: PublicID) {
        self.id = id
        status = .removed
    }

    /// A receipt of a device that was refused.
    public init(refused error: ErrorBody.Detail) {
        self.error = error
        status = .refused
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case status, id, error }
}

/// Removes several devices: `POST /api/v1/devices/batch/delete`.
public struct DeviceBatchDeletion: Sendable, Hashable, Codable {
    /// The devices' ids, at most ``DeviceBatchRequest/limit``.
    public var ids: [PublicID]

    /// Devices in the order of their receipts.
    public init(ids: [PublicID]) { self.ids = ids }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case ids }
}

/// What was done with one device of several.
public enum DeviceReceiptStatus: String, Sendable, Hashable, Codable, CaseIterable {
    /// It is new.
    case registered
    /// Its token was known.
    case updated
    /// It is gone.
    case removed
    /// Nothing was changed.
    case refused
}
