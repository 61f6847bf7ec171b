import MartletWire

/// Decides what a registration changes. A pure value: the store looks the endpoints up, asks, and does what it says, all
/// in one transaction.
public struct RegistrationPlan: Sendable, Hashable {
    /// What a store knows of an endpoint that a registration touches.
    public struct Known: Sendable, Hashable {
        /// The endpoint.
        public var row: RowID<Endpoint>
        /// The installation that it belongs to.
        public var installation: RowID<Installation>?
        /// The user that it belongs to.
        public var user: RowID<User>?
        /// Whether pushes are made to it.
        public var status: Endpoint.Status
        /// Whether the device is switched on.
        public var hasPush: Bool

        package init(
            row: RowID<Endpoint>,
            installation: RowID<Installation>?,
            user: RowID<User>?,
            status: Endpoint.Status = .enabled,
            hasPush: Bool = true
        ) {
            self.row = row
            self.installation = installation
            self.user = user
            self.status = status
            self.hasPush = hasPush
        }

        /// Whether it was not removed.
        package var isThere: Bool { if case .removed = status { false } else { true } }

        /// Refuses a browser's subscription that its push service has ended. It never works again (RFC 8030, section 7.3),
        /// while a token of APNs or FCM may.
        ///
        /// - Throws: ``ErrorCode/subscriptionEnded``.
        package func checkSubscription() throws(Failure) {
            guard case .disabled(let reason) = status, reason.isOfProvider else { return }
            throw Failure(
                .subscriptionEnded,
                "The browser's push service has ended this subscription: \(reason.rawValue).",
                hint: "Unsubscribe in the page, subscribe anew and register that; martlet.js does.",
                field: "subscription"
            )
        }
    }

    /// Refuses a token that is another installation's or a user's, to a caller who cannot prove that the device is theirs.
    ///
    /// - Throws: ``ErrorCode/unauthorized``.
    package static func checkOwner(of known: Known?, installation: RowID<Installation>?) throws(Failure) {
        guard let known, known.isThere else { return }
        guard known.installation.map({ $0 != installation }) ?? (known.user != nil) else { return }
        throw Failure(
            .unauthorized,
            "This token is registered, and in this app it moves only with the user's token.",
            hint: "Send the user's token in the header '\(HeaderName.userToken)'.",
            field: "token"
        )
    }

    /// The endpoint to write over; `nil` makes a new one.
    public var target: RowID<Endpoint>?
    /// The user that the endpoint belongs to afterwards.
    public var user: RowID<User>?
    /// Endpoints whose place is taken: they are removed as `replaced`.
    public var replaced: [RowID<Endpoint>]
    /// Whether one of those was switched off: the device is the same one and stays off.
    public var staysOff: Bool

    /// Decides.
    ///
    /// - Parameters:
    ///   - byToken: the endpoint that holds the token now. It is the one that lives on: the token is the device, and
    ///     what is registered under another user or installation moves.
    ///   - byInstallation: the endpoint of the same installation and platform: its token rotated.
    ///   - onOtherPlatforms: the installation's endpoints of other platforms, the newest first. An installation is reached in
    ///     one way: they are replaced, and the user of the newest stays its user.
    ///   - byPreviousToken: the endpoint of the token that the caller says is replaced. It counts only when it belongs
    ///     to the same user or installation or to nobody, so that naming a stranger's token takes nothing from them.
    ///   - owner: who the caller says the endpoint shall belong to, with the row of a named user.
    ///   - installation: the row of the calling installation.
    public init(
        byToken: Known?,
        byInstallation: Known?,
        onOtherPlatforms: [Known] = [],
        byPreviousToken: Known?,
        owner: Owner,
        installation: RowID<Installation>?
    ) {
        let previous = byPreviousToken.flatMap { known in
            RegistrationPlan.mayReplace(known, owner: owner, installation: installation) ? known : nil
        }
        let own = byToken?.installation == installation ? byToken : nil
        target = (byToken ?? byInstallation ?? previous)?.row
        user =
            switch owner {
            case .unchanged: (byInstallation ?? onOtherPlatforms.first ?? own ?? previous)?.user
            case .nobody: nil
            case .user(let row): row
            }
        replaced = []
        staysOff = false
        for known in [byInstallation, previous].compactMap(\.self) + onOtherPlatforms
        where known.row != target && !replaced.contains(known.row) {
            replaced.append(known.row)
            if !known.hasPush { staysOff = true }
        }
    }

    /// Who the endpoint shall belong to, with rows in place of ids.
    public enum Owner: Sendable, Hashable {
        /// Whoever it belongs to now.
        case unchanged
        case nobody
        /// This user.
        case user(RowID<User>)
    }

    private static func mayReplace(_ known: Known, owner: Owner, installation: RowID<Installation>?) -> Bool {
        if let holder = known.installation { return holder == installation }
        return switch owner {
        case .user(let user): known.user == nil || known.user == user
        // Without an installation the caller is the customer's own server, which may speak for its users.
        case .unchanged, .nobody: known.user == nil || installation == nil
        }
    }
}
