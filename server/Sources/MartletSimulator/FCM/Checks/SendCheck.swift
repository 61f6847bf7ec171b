/// What the checks found out about one send.
struct SendVerdict {
    var project: String?
    var target: FCMTarget?
    var message: JSONTree?
    var isValidateOnly = false
    /// `nil`: the message is accepted.
    var error: FCMError?
}

/// The checks of `messages:send` in the order in which they are made. The first that fails gives the answer; Google does
/// not publish its order, this one is fixed.
///
/// | # | Looked at | Refused with |
/// |---|---|---|
/// | 1 | path and method | 404 without FCM's error |
/// | 2 | bearer: present, known, not expired | 401 UNAUTHENTICATED |
/// | 3 | the bearer's project | 403 PERMISSION_DENIED |
/// | 4 | JSON, its members and types | 400 with the field |
/// | 5 | exactly one target | 400 |
/// | 6 | rules of members | 400 with the field |
/// | 7 | size | 400 |
/// | 8 | token: form, registered, sender, APNs key | 400, 404, 403, 401 |
/// | 9 | quota of project and device | 429 with `retry-after` |
struct SendCheck {
    let method: String
    let path: String
    let authorization: String?
    let body: [UInt8]
    /// Milliseconds since 1970.
    var now: Int64

    func verdict(in registry: inout FCMRegistry) -> SendVerdict {
        var verdict = SendVerdict()
        do {
            try judge(&verdict, &registry)
        } catch {
            verdict.error = error
        }
        return verdict
    }

    private func judge(_ verdict: inout SendVerdict, _ registry: inout FCMRegistry) throws(FCMError) {
        guard method == "POST", let project = Self.project(in: path) else { throw FCMError(.notFound) }
        verdict.project = project
        try checkAccess(to: project, in: registry)
        guard let request = JSONTree(body) else {
            throw FCMError(.invalidArgument, "Invalid JSON payload received. Unexpected token.", reason: nil)
        }
        do {
            try SchemaCheck().check(request)
        } catch {
            throw FCMError(.invalidArgument, violation: error)
        }
        guard let message = request["message"] else {
            throw FCMError(.invalidArgument, "The message is not set.")
        }
        verdict.message = message
        verdict.isValidateOnly = request["validate_only"]?.isTrue ?? false
        let rules = MessageRules(message: message)
        let target = try rules.target()
        verdict.target = target
        // A rule that matches a token is to find it also when the message is refused.
        try rules.check(target)
        try rules.checkSize(target)
        try checkDevice(target, project, registry)
        try takeQuota(target, project, &registry)
    }

    private func checkAccess(to project: String, in registry: FCMRegistry) throws(FCMError) {
        guard let authorization else {
            throw FCMError(
                .unauthenticated,
                "Request is missing required authentication credential. Expected OAuth 2 access token, login cookie or "
                    + "other valid authentication credential.",
                reason: "CREDENTIALS_MISSING"
            )
        }
        let words = authorization.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0] == "Bearer" || words[0].lowercased() == "bearer",
            let access = registry.access[String(words[1])]
        else {
            throw FCMError(.unauthenticated, reason: "ACCESS_TOKEN_TYPE_UNSUPPORTED")
        }
        guard access.expires > now else { throw FCMError(.unauthenticated, reason: "ACCESS_TOKEN_EXPIRED") }
        guard access.project == project else {
            throw FCMError(.permissionDenied, reason: "IAM_PERMISSION_DENIED")
        }
    }

    private func checkDevice(_ target: FCMTarget, _ project: String, _ registry: FCMRegistry) throws(FCMError) {
        switch target {
        case .topic, .condition: return
        case .fid(let text):
            guard FCMRegistry.isWellFormedFID(text) else {
                let text = "The FID is not a valid Firebase installation id"
                throw FCMError(
                    .invalidToken,
                    text,
                    violation: FieldViolation(field: "message.fid", description: text)
                )
            }
        case .token(let text):
            // As documented: with FCM's error, and without a field.
            guard FCMRegistry.isWellFormedToken(text) else { throw FCMError(.invalidToken) }
        }
        guard let device = target.device.flatMap({ registry.devices[$0] }) else {
            if registry.knownTokensOnly { throw FCMError(.unregistered) }
            return
        }
        if device.state == .unregistered { throw FCMError(.unregistered) }
        if let sender = device.project, sender != project { throw FCMError(.senderIDMismatch) }
        if device.platform == .ios, registry.projects[project]?.hasAPNsKey == false {
            throw FCMError(.thirdPartyAuth)
        }
    }

    private func takeQuota(
        _ target: FCMTarget,
        _ project: String,
        _ registry: inout FCMRegistry
    ) throws(FCMError) {
        if let wait = registry.takeFromProject(project, now: now) {
            throw FCMError(.quotaExceeded, quotaSubject: "project:\(project)", retryAfter: wait)
        }
        if let device = target.device, let wait = registry.takeFromDevice(device, now: now) {
            throw FCMError(.quotaExceeded, quotaSubject: "device:\(device)", retryAfter: wait)
        }
    }

    /// The project in `/v1/projects/{project}/messages:send`; a query is let pass.
    static func project(in path: String) -> String? {
        let plain = path.utf8.prefix { $0 != UInt8(ascii: "?") }
        let prefix = "/v1/projects/".utf8, suffix = "/messages:send".utf8
        guard plain.count > prefix.count + suffix.count, plain.starts(with: prefix),
            plain.suffix(suffix.count).elementsEqual(suffix)
        else { return nil }
        let project = plain.dropFirst(prefix.count).dropLast(suffix.count)
        return project.contains(UInt8(ascii: "/")) ? nil : String(project)
    }
}
