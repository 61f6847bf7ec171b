import HTTPTypes
import MartletStore
import MartletWire
import Testing

@testable import MartletConsole
@testable import MartletCore
@testable import MartletProviders
@testable import MartletTesting

@Suite("What the code says, on pages in another language") struct SaidWordsTests {
    private let japanese = Texts(preferred: ["ja"])

    @Test("English pages have sentences as they are, in one piece")
    func english() {
        let texts = Texts(preferred: ["en"])
        let pieces = texts.pieces(of: ["No push was sent.", "The moon is full."])
        #expect(pieces == [SaidPiece(text: "No push was sent. The moon is full.")])
        #expect(texts.pieces(of: []).isEmpty && texts.pieces(of: [""]).isEmpty)
        #expect(texts.reason("connection closed") == "connection closed")
    }

    @Test("Japanese sentences stand together without a space, and what has no translation in English beside them")
    func pieces() {
        let known = japanese.pieces(of: ["No push was sent.", "The user had no device."])
        #expect(known == [SaidPiece(text: "プッシュは送信されませんでした。ユーザーに端末がありませんでした。")])
        let mixed = japanese.pieces(of: ["No push was sent.", "The moon is full.", "So it is.", "Check the network."])
        #expect(
            mixed == [
                SaidPiece(text: "プッシュは送信されませんでした。"),
                SaidPiece(text: " The moon is full. So it is.", isEnglish: true),
                SaidPiece(text: " ネットワークを確認してください。"),
            ]
        )
        let own = japanese.sentence("The user did not switch category 'offers' off.")
        #expect(own == "このユーザーはカテゴリ「offers」をオフにしていません。")
        #expect(japanese.pieces(of: ["", "BadDeviceToken"]) == [SaidPiece(text: "BadDeviceToken")])
    }

    @Test("a text of several sentences is told apart, with those whose translation is of several")
    func several() {
        let text =
            "Dedup key 'a. b' was free for the user. Notification 7 holds it now. The moon is full. Set it by NTP."
        #expect(
            japanese.pieces(of: [text]) == [
                SaidPiece(text: "このユーザーの重複防止キー「a. b」は空いていました。現在は通知 7 が使っています。"),
                SaidPiece(text: " The moon is full.", isEnglish: true), SaidPiece(text: " NTP で時刻を合わせてください。"),
            ]
        )
        let long = String(repeating: "Set it by NTP. ", count: 2_000) + "Set it by NTP."
        #expect(japanese.pieces(of: [long]) == [SaidPiece(text: long, isEnglish: true)])
    }

    @Test("a reason within a sentence is translated where it is ours, and a provider's word stays")
    func reasons() {
        #expect(japanese.reason("InvalidProviderToken") == "InvalidProviderToken")
        #expect(japanese.reason("no answer to PING within 500 ms") == "500 ミリ秒以内に PING の応答がありませんでした")
        let dead = japanese.sentence(.dead, "connection closed by the peer")
        #expect(dead == "すべての試行が失敗し、打ち切られました (相手が接続を閉じました)。")
        #expect(
            japanese.sentence("On 2 devices: the provider refused it (Unregistered).")
                == "端末 2 台: プロバイダーが拒否しました (Unregistered)。"
        )
    }

    @Test("what became of a delivery has a translation", arguments: DeliveryState.allCases)
    func statements(_ state: DeliveryState) {
        for reason in [nil, "Unregistered", "connection closed"] + Suppression.Reason.allCases.map(\.rawValue) {
            for detail in [nil, Suppression.Detail.late] {
                let report = DeliveryReport(
                    endpoint: nil,
                    endpointRow: nil,
                    platform: .apns,
                    user: "ann",
                    state: state,
                    reason: reason,
                    heldBy: nil,
                    detail: detail,
                    attempts: 1,
                    at: nil
                )
                #expect(japanese.sentence(report.statement) != nil, "\(report.statement)")
                #expect(japanese.sentence("On 3 devices: \(report.sentence).") != nil, "\(report.sentence)")
            }
        }
    }

    @Test("what a look at a clock finds has a translation, for each service", arguments: [Platform.apns, .fcm])
    func clocks(_ platform: Platform) {
        let credential = Credential(
            row: RowID(1),
            app: RowID(1),
            platform: platform,
            environment: .production,
            summary: CredentialSummary(kind: .token, topic: "com.example.app", keyID: nil, teamID: nil, expiresAt: nil),
            sealed: [],
            url: nil,
            trust: nil,
            createdAt: Timestamp(milliseconds: 0)
        )
        let now = Timestamp(milliseconds: 1_800_000_000_000)
        for theirs in [nil, now, now + .seconds(90), now - .seconds(90)] {
            let found =
                platform == .apns
                ? APNsDiagnosis(credential: credential).clock(theirs, now: now)
                : FCMDiagnosis(credential: credential).clock(theirs, now: now)
            #expect(japanese.sentence(found.message) != nil, "\(found.message)")
        }
    }

    @Test("all advice of the tables of answers has a translation", arguments: CredentialKind.allCases)
    func advice(_ kind: CredentialKind) {
        let now = Timestamp(milliseconds: 1_800_000_000_000)
        for team in [nil, "TEAM"] {
            let summary = CredentialSummary(
                kind: kind,
                topic: "com.example.app",
                keyID: team,
                teamID: team,
                expiresAt: nil
            )
            let context = APNsAnswerContext(credential: summary, environment: .sandbox, now: now)
            let apns: [APNsAdvice] = [
                .topic, .certificate, .certificateEnvironment, .forbidden, .signingKey, .authentication,
                .keyEnvironment, .unknownRefusal, .notAPNs,
            ]
            let fcm = [
                FCMAdvice.notFCM(summary), FCMAdvice.noProject(summary), FCMAdvice.forbidden(summary),
                FCMAdvice.unauthenticated(summary), FCMAdvice.thirdParty(summary),
            ]
            for text in apns.map({ $0.text(context) }) + fcm { #expect(japanese.sentence(text) != nil, "\(text)") }
        }
        for theirs in [nil, now, now + .seconds(90), now - .seconds(90)] {
            let text = ClockAdvice.text(ours: now, theirs: theirs)
            #expect(japanese.sentence(text) != nil, "\(text)")
        }
    }

    @Test(
        "a finding's subject has its noun in the reader's language, whatever the app is called",
        arguments: [
            ("shop credentials", "shop の認証情報"), ("shop apns/production clock", "shop apns/production の時計"),
            ("shop webpush VAPID key", "shop webpush の VAPID キー"), ("shop apns/production", "shop apns/production"),
            ("fcm/production other services", "fcm/production のほかのサービス"), ("shopping list", "shopping list"),
        ]
    )
    func subjects(_ subject: String, _ words: String) {
        let finding = Finding(.ok, subject, "APNs accepts the credential.")
        #expect(FindingWords(finding, of: "shop", japanese).subject == words)
        #expect(FindingWords(finding, of: "shop", Texts(preferred: ["en"])).subject == subject)
    }
}

@Suite("Japanese pages of what the code says") struct SaidPageTests {
    /// Where English has three words one after the other in what a page says; commands stand in elements of their own.
    private static func english(in page: Visitor.Answer) -> [String] {
        let main = page.text.split(separator: "<main").last ?? ""
        let said = main.replacing(/<code[^>]*>[^<]*<\/code>/, with: "|").replacing(/<[^>]*>/, with: "|")
        return said.matches(of: /[A-Za-z']+ [a-z']+ [a-z']+/).map { String($0.output) }
    }

    private static func isJapanese(_ page: Visitor.Answer) -> Bool {
        page.status == 200 && english(in: page).isEmpty && !page.text.contains("<span lang=\"en\"")
    }

    /// An admin who reads Japanese.
    private static func reader(of harness: Harness) async throws -> Visitor {
        var admin = try await harness.visitor(.admin)
        admin.headers = [.acceptLanguage: "ja"]
        return admin
    }

    /// Two devices of one person, of which one was refused, and a person without a device.
    private static func deliver(_ harness: Harness) async throws -> MartletCore.Notification {
        let (world, app) = (harness.world, harness.app)
        let queue = try await world.makeQueue(app)
        for number in 1...2 { try await world.register(app, number, user: "ann") }
        let category = try await harness.store.createCategory(CategoryRequest(key: "news"), of: app.row, actor: "test")
        let patch = ChannelPatch(push: .value(true), inbox: .value(false))
        let draft = PreferencesDraft(user: "ann", master: patch, categories: [category.row: patch])
        _ = try await harness.store.changePreferences([draft], of: app.row, actor: "operator Ken")
        harness.clock.advance(by: .seconds(1))
        var asked = world.draft(app, to: .users(["ann", "bob"]), dedup: Dedup(key: "late"))
        asked.category = category
        let sent = try await world.submit(asked)
        try await world.fanOut()
        let leased = try await world.leaseOne(queue)
        var settlement = leased.settlement
        settlement.results = leased.batch.members.enumerated().map { index, member in
            index == 0 ? world.result(member) : world.result(member, .rejected, reason: "Unregistered")
        }
        try await world.store.settle(settlement)
        return try await world.read(sent.id)
    }

    @Test("why a notification came or did not, and what happened to a person, is in the reader's language")
    func people() async throws {
        try await Harness.run { harness in
            let sent = try await Self.deliver(harness)
            let admin = try await Self.reader(of: harness)
            let people = "/people/\(harness.app.id)"
            let why = try await admin.get("\(people)/ann/why/\(sent.id)")
            #expect(Self.isJapanese(why), "\(Self.english(in: why)), \(why.text)")
            #expect(
                why.text.contains(
                    "2 台のうち 1 台の端末について、プロバイダーがプッシュを受理しました。端末 1 台: プロバイダーが拒否しました (Unregistered)。"
                )
            )
            #expect(why.text.contains("この通知が使っています。") && why.text.contains("ユーザーがカテゴリ「news」をオンにしています。"))
            let nobody = try await admin.get("\(people)/bob/why/\(sent.id)")
            #expect(Self.isJapanese(nobody), "\(Self.english(in: nobody)), \(nobody.text)")
            #expect(nobody.text.contains("プッシュは送信されませんでした。ユーザーに端末がありませんでした。"))
            let timeline = try await admin.get("\(people)/ann")
            #expect(Self.isJapanese(timeline), "\(Self.english(in: timeline)), \(timeline.text)")
            #expect(timeline.text.contains("カテゴリ「news」の設定が変更されました (プッシュ オン、受信箱 オフ。変更者: 担当者 Ken)。"))
            #expect(timeline.text.contains("プロバイダーが拒否しました (Unregistered)。"))
            let missed = try await admin.get("/notifications/\(sent.id)/missed?devices=every")
            #expect(Self.isJapanese(missed), "\(Self.english(in: missed)), \(missed.text)")
            let meaning = "<span>端末からアプリが削除されています。</span> <code class=\"muted\">Unregistered</code>"
            #expect(missed.text.contains(meaning), "\(missed.text)")
            let english = try await harness.visitor(.viewer).get("\(people)/ann/why/\(sent.id)")
            #expect(
                english.text.contains(
                    "A provider took the push for 1 of 2 devices. On 1 device: the provider refused it (Unregistered)."
                )
            )
        }
    }

    /// Pauses a queue with what its provider's refusal asks for, while a notification waits in it.
    static func pause(_ queue: DeliveryQueue, _ harness: Harness, advice: String) async throws
        -> MartletCore.Notification
    {
        let world = harness.world
        let sent = try await world.send(harness.app, to: .users(["ann"]))
        let leased = try await world.leaseOne(queue)
        var settlement = leased.settlement
        settlement.remaining = leased.batch.members
        settlement.isLeaseReleased = true
        settlement.pause = Pause(queue: queue, reason: "InvalidProviderToken", advice: advice, since: world.now)
        try await world.store.settle(settlement)
        return sent
    }

    private static func advice(_ harness: Harness) -> String {
        let summary = CredentialSummary(kind: .token, topic: "shop", keyID: "KEY", teamID: "TEAM", expiresAt: nil)
        let context = APNsAnswerContext(credential: summary, environment: .production, now: harness.clock.now())
        return APNsAdvice.signingKey.text(context)
    }

    @Test("what a paused queue waits for is in the reader's language wherever it stands")
    func paused() async throws {
        try await Harness.run { harness in
            let queue = try await harness.world.makeQueue(harness.app)
            try await harness.world.register(harness.app, 1, user: "ann")
            let sent = try await Self.pause(queue, harness, advice: Self.advice(harness))
            let admin = try await Self.reader(of: harness)
            let english = try await harness.visitor(.viewer)
            for path in ["/", "/problems", "/apps/\(harness.app.id)", "/notifications/\(sent.id)"] {
                let page = try await admin.get(path)
                #expect(Self.isJapanese(page), "\(path): \(Self.english(in: page)), \(page.text)")
                #expect(page.text.contains("APNs が、チーム TEAM のキー KEY で署名したトークンを受け付けません。"), "\(path)")
                #expect(page.text.contains("InvalidProviderToken"), "\(path)")
                let other = try await english.get(path).text
                #expect(other.contains("APNs does not accept tokens signed with key KEY of team TEAM."), "\(path)")
            }
        }
    }

    @Test("advice that has no translation stands in English, in an element that says so")
    func untranslated() async throws {
        try await Harness.run { harness in
            let queue = try await harness.world.makeQueue(harness.app)
            try await harness.world.register(harness.app, 1, user: "ann")
            let sent = try await Self.pause(queue, harness, advice: "Mend the <b>moon</b>. Check the network.")
            let admin = try await Self.reader(of: harness)
            for path in ["/", "/problems", "/apps/\(harness.app.id)", "/notifications/\(sent.id)"] {
                let text = try await admin.get(path).text
                #expect(
                    text.contains(
                        "<span lang=\"en\">Mend the &lt;b&gt;moon&lt;/b&gt;.</span><span> ネットワークを確認してください。</span>"
                    ),
                    "\(path): \(text)"
                )
            }
        }
    }

    @Test("what the doctor finds is in the reader's language")
    func findings() async throws {
        try await Harness.run { harness in
            let queue = try await harness.world.makeQueue(harness.app)
            try await harness.world.register(harness.app, 1, user: "ann")
            _ = try await Self.pause(queue, harness, advice: Self.advice(harness))
            let lost = Outcome.retry(.init(reason: "connection closed by the peer", kind: .connection))
            harness.console.breakers.note(repeatElement(lost, count: 100), in: queue, of: "", at: harness.clock.now())
            let admin = try await Self.reader(of: harness)
            let page = try await admin.get("/apps/\(harness.app.id)/findings")
            #expect(Self.isJapanese(page), "\(Self.english(in: page)), \(page.text)")
            for words in [
                "一時停止中です: InvalidProviderToken。", "APNs が、チーム TEAM のキー KEY で署名したトークンを受け付けません。",
                "プロバイダーの応答がありません (相手が接続を閉じました)。", "保存された秘密情報を、この暗号鍵では復号できません。",
            ] {
                #expect(page.text.contains(words), "\(words): \(page.text)")
            }
            let other = try await harness.store.createApp(name: "other", identity: Identity())
            let bare = try await admin.get("/apps/\(other.id)/findings")
            #expect(Self.isJapanese(bare) && bare.text.contains("other の認証情報"), "\(bare.text)")
        }
    }
}
