import MartletWire

extension RenderedMessage: Documented {
    static let schema = document("Message") { field in
        switch field {
        case .platform: (.platform, "The provider.")
        case .payload:
            (.map(of: .any), "The payload, without what is each device's own; a delivery_id is all zeros here.")
        case .headers:
            (
                .map(of: .string),
                "What is the same for every device beside the payload, by lower-case name: the provider's request headers, "
                    + "and marks of the server's own, such as 'topic-suffix'."
            )
        case .bytes: (.integer(), "How many bytes count against the provider's limit.")
        case .limit: (.integer(), "The most bytes that the provider takes.")
        case .refusal:
            (.string, "The word of the reason why nothing is sent to the platform; then there is no payload.")
        case .error: (.document(ErrorBody.Detail.self), "Why a send would be refused, in a preview.")
        }
    }
}
