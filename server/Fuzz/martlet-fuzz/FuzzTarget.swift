/// What reads bytes of others, each with its own corpus in `Corpus/`.
enum FuzzTarget: String, CaseIterable {
    /// A server's frames, on their way to answers of the HTTP/2 client.
    case frames
    /// APNs's answers, on their way to outcomes and verdicts.
    case answers
    /// Content, typed and raw, on its way to a payload.
    case payloads
    /// REST documents, on their way to a submission and its payload.
    case requests

    /// Runs one input; false when it says nothing and is not worth keeping.
    func run(_ input: FuzzInput) -> Bool {
        switch self {
        case .frames: FramesTarget.run(input)
        case .answers: AnswersTarget.run(input)
        case .payloads: PayloadsTarget.run(input)
        case .requests: RequestsTarget.run(input)
        }
    }
}
