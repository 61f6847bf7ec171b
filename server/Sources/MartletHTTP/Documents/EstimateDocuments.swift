import MartletWire

extension EstimateResponse: Documented {
    static let schema = document("Estimate") { field in
        switch field {
        case .people: (.integer(), "People who would get it on at least one device; an anonymous device counts as one.")
        case .devices: (.integer(), "Devices that it would be sent to.")
        case .keptOut:
            (.list(of: .document(KeptOut.self)), "People who would get it on no device, by what keeps them out.")
        case .isExact: (.boolean, "Whether everybody was looked at; otherwise the numbers come from samples.")
        }
    }
}

extension EstimateResponse.KeptOut: Documented {
    static let schema = document("KeptOut") { field in
        switch field {
        case .reason: (.string, "The reason, as a suppression has it; of several that of the first device.")
        case .people: (.integer(), "How many people; of 'unknown_endpoint', how many devices.")
        case .detail: (.string, "The reason as a sentence.")
        }
    }
}
