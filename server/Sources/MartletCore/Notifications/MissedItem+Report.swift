package import MartletWire

extension MissedItem {
    package init(_ report: DeliveryReport) {
        self.init(
            userID: report.user,
            endpointID: report.endpoint,
            platform: report.platform,
            state: report.state,
            reason: report.word,
            detail: report.statement,
            heldBy: report.heldBy,
            at: report.at.map(UTCTime.init),
            reachedOtherwise: report.isReachedOtherwise
        )
        reasonCode = ReasonCode.text(of: reason)
    }

    /// The cells of its line, in the order of its fields.
    package var cells: [String?] {
        CodingKeys.allCases.map { field in
            switch field {
            case .userID: userID
            case .endpointID: endpointID?.description
            case .platform: platform?.rawValue
            case .state: state.rawValue
            case .reason: reason
            case .detail: detail
            case .heldBy: heldBy?.description
            case .at: at?.description
            case .reachedOtherwise: reachedOtherwise.description
            case .reasonCode: reasonCode
            }
        }
    }
}
