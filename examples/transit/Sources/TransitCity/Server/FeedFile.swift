package import Foundation
import GTFSRealtime
import SwiftProtobuf
package import Transit

/// The bytes of a feed.
package enum FeedFile {
    package static func bytes(_ alerts: [ServiceAlert], made: Int, changesOnly: Bool = false) throws -> Data {
        var message = TransitRealtime_FeedMessage()
        message.header.gtfsRealtimeVersion = "2.0"
        message.header.incrementality = changesOnly ? .differential : .fullDataset
        message.header.timestamp = UInt64(max(0, made))
        message.entity = alerts.map(\.message)
        return try message.serializedData()
    }
}
