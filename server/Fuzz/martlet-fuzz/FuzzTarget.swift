/// What reads bytes of others, each with its own corpus in `Corpus/`.
enum FuzzTarget: String, CaseIterable {
    /// A server's frames, on their way to answers of the HTTP/2 client.
    case frames
    /// APNs's answers, on their way to outcomes and verdicts.
    case answers
    /// FCM's and its token endpoint's answers, on their way to outcomes.
    case google
    /// Push services' answers, on their way to outcomes, and browsers' subscriptions.
    case webpush
    /// Sealed messages, on their way to what a browser reads.
    case sealed
    /// What publishers write for FCM, on its way to a message.
    case gcm
    /// Content, typed and raw, on its way to a payload.
    case payloads
    /// REST documents, on their way to a submission and its payload.
    case requests
    /// Parameters of the SNS API, on their way to what an operation reads.
    case forms
    /// Texts on their way into an answer of the SNS API.
    case xml
    /// Signatures of requests, on their way to a refusal.
    case signatures
    /// Filter policies, on their way to what they let pass.
    case policies
    /// Bytes on a connection of the server, on their way to an answer.
    case http

    /// Runs one input; false when it says nothing and is not worth keeping.
    func run(_ input: FuzzInput) -> Bool {
        switch self {
        case .frames: FramesTarget.run(input)
        case .answers: AnswersTarget.run(input)
        case .google: GoogleTarget.run(input)
        case .webpush: WebPushTarget.run(input)
        case .sealed: SealedTarget.run(input)
        case .gcm: GCMTarget.run(input)
        case .payloads: PayloadsTarget.run(input)
        case .requests: RequestsTarget.run(input)
        case .forms: FormsTarget.run(input)
        case .xml: XMLTarget.run(input)
        case .signatures: SignaturesTarget.run(input)
        case .policies: PoliciesTarget.run(input)
        case .http: HTTPTarget.run(input)
        }
    }
}
