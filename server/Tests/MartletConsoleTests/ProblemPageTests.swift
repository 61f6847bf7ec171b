import HTTPTypes
import MartletStore
import MartletWire
import Testing

@testable import MartletConsole
@testable import MartletCore
@testable import MartletTesting

@Suite("Problems") struct ProblemPageTests {
    /// A console in which work can fail.
    struct Scene: Sendable {
        let harness: Harness
        let world: World
        let queue: DeliveryQueue

        var store: Store { harness.store }

        static func run(_ test: @Sendable (Scene) async throws -> Void) async throws {
            try await Harness.run { harness in
                let world = harness.world
                let queue = try await world.makeQueue(harness.app)
                for number in 1...2 { try await world.register(harness.app, number, user: "user-\(number)") }
                try await test(Scene(harness: harness, world: world, queue: queue))
            }
        }

        /// Deliveries that were given up, each of a notification of its own.
        func giveUp(_ count: Int) async throws {
            for _ in 0..<count { _ = try await world.send(harness.app, to: .users(["user-1"])) }
            while case let leased = try await world.lease(queue), !leased.isEmpty {
                for one in leased { try await world.settle(one, .dead, reason: "Unreachable") }
            }
        }

        /// Deliveries that were given up and cannot be tried again: their notifications were cancelled.
        func giveUpForGood(_ count: Int) async throws {
            for _ in 0..<count {
                let sent = try await world.send(harness.app, to: .users(["user-1", "user-2"]))
                let leased = try await world.leaseOne(queue)
                var settlement = leased.settlement
                settlement.results = leased.batch.members.prefix(1).map {
                    world.result($0, .dead, reason: "Unreachable")
                }
                settlement.remaining = Array(leased.batch.members.dropFirst())
                settlement.isLeaseReleased = true
                try await store.settle(settlement)
                _ = try await store.cancel(sent.row)
                try await world.deliver(queue, .cancelled)
                while try await !store.expire(limit: 10, process: 0).batches.isEmpty {}
            }
        }

        /// Has the queue wait for another credential, with both people's deliveries in it.
        func pause() async throws {
            _ = try await world.send(harness.app, to: .users(["user-1", "user-2"]))
            let leased = try await world.leaseOne(queue)
            var settlement = leased.settlement
            settlement.remaining = leased.batch.members
            settlement.isLeaseReleased = true
            settlement.pause = Pause(queue: queue, reason: "Bad", advice: "Mend.", since: world.now)
            try await store.settle(settlement)
        }

        var letters: [DeadLetter] {
            get async throws { try await store.failedWork(DeadLetter.self, PageRequest(count: 1_000)).items }
        }

        func audited(_ action: AuditAction) async throws -> [AuditEntry] {
            try await store.auditEntries(AuditFilter(action: action), PageRequest()).items
        }
    }

    @Test("nothing that failed is said, with the command that looks more closely")
    func quiet() async throws {
        try await Harness.run { harness in
            _ = try await harness.world.makeQueue(harness.app)
            let page = try await harness.visitor(.viewer).get("/problems")
            #expect(page.text.contains("There are no problems.") && page.text.contains("martlet doctor"))
            #expect(page.text.contains("<table") == false)
        }
    }

    @Test("one delivery is tried again, once, and the log says by whom")
    func one() async throws {
        try await Scene.run { scene in
            try await scene.giveUp(2)
            let admin = try await scene.harness.visitor(.admin)
            let page = try await admin.get("/problems")
            #expect(page.text.contains("Unreachable") && page.text.contains(">user-1</a>"))
            let letter = try #require(try await scene.letters.first)
            let path = "/problems/letters/\(letter.id)/retry"
            #expect(page.text.contains("action=\"/console\(path)\""))
            #expect(try await admin.post(path, ["app": "shop"]).location == "/console/problems?app=shop&done=retried")
            #expect(try await scene.letters.count == 1)
            #expect(try await scene.world.lease(scene.queue).count == 1)
            let entries = try await scene.audited("dead_letter.retry")
            #expect(entries.map(\.actor.name) == ["admin"] && entries.first?.subject.id == letter.id.description)
            for odd in ["/problems/letters/\(scene.harness.app.id)/retry", "/problems/others/\(letter.id)/retry"] {
                #expect(try await admin.post(odd).status == 404, "\(odd)")
            }
        }
    }

    @Test(
        "a provider that does not answer is a problem on every page: what waits, why, since when, and the menu's number"
    )
    func silence() async throws {
        try await Scene.run { scene in
            let (harness, sender) = (scene.harness, try await scene.harness.visitor(.sender))
            let sent = try await scene.world.send(harness.app, to: .users(["user-1", "user-2"]))
            let before = try await sender.get("/compose").text
            #expect(!before.contains("<span class=\"count\"") && !before.contains("only once it answers again"))
            harness.clock.advance(by: .seconds(6))
            let refusals = repeatElement(Outcome.retry(.init(reason: "HTTP 503", kind: .connection)), count: 100)
            harness.console.breakers.note(refusals, in: scene.queue, of: "", at: harness.clock.now())
            let page = try await sender.get("/problems").text
            #expect(!page.contains("There are no problems.") && page.contains(">does not answer</span>"))
            #expect(page.contains("HTTP 503") && page.contains("2 deliveries wait") && page.contains(" since <time"))
            #expect(page.contains("aria-hidden=\"true\">1</span><span class=\"hidden\"> 1 problem</span>"))
            #expect(try await sender.get("/people").text.contains("<span class=\"hidden\"> 1 problem</span>"))
            let compose = try await sender.get("/compose").text
            #expect(compose.contains("does not answer: its devices get this only once it answers again."))
            let notification = try await sender.get("/notifications/\(sent.id)").text
            #expect(notification.contains("The provider does not answer (HTTP 503)"), "\(notification)")
            let japanese = try await sender.get("/problems?lang=ja").text
            #expect(japanese.contains("プロバイダーの応答がありません (HTTP 503)") && japanese.contains("問題 1 件"))
        }
    }

    @Test("each kind has pages, so that everything of it can be tried again by itself")
    func pages() async throws {
        try await Scene.run { scene in
            try await scene.giveUp(52)
            let admin = try await scene.harness.visitor(.admin)
            func retries(_ page: Visitor.Answer) -> [String] {
                page.text.matches(of: /action="(\/console\/problems\/letters\/[^"\/]+\/retry)"/).map { String($0.1) }
            }
            func next(_ page: Visitor.Answer) -> String? {
                let link = page.text.firstMatch(of: /rel="next" href="\/console([^"]+)"/)
                return link.map { String($0.1).replacing("&amp;", with: "&") }
            }
            for address in ["/problems", "/problems?app=shop"] {
                let first = try await admin.get(address)
                let second = try await admin.get(try #require(next(first), "\(address)"))
                #expect(retries(first).count == 50 && retries(second).count == 2, "\(address)")
                #expect(Set(retries(first) + retries(second)).count == 52 && next(second) == nil, "\(address)")
            }
            let gone = try await admin.post("/problems/letters/\(scene.harness.app.id)/retry", ["app": "shop"])
            let after = try #require(next(gone))
            #expect(after.hasPrefix("/problems?app=shop&letters="), "\(after)")
            #expect(retries(try await admin.get(after)).count == 2)
            #expect(try await admin.get("/problems?letters=x").status == 422)
        }
    }

    @Test("since when something waits is not called the time of the pause")
    func sinceWhen() async throws {
        try await Scene.run { scene in
            try await scene.pause()
            let page = try await scene.harness.visitor(.viewer).get("/problems?lang=ja").text
            #expect(page.contains("待機開始: <time"), "\(page)")
        }
    }

    @Test("what is gone when another try is asked for is said on the same page, which is of the same app still")
    func gone() async throws {
        try await Scene.run { scene in
            try await scene.giveUp(2)
            _ = try await scene.store.createApp(name: "other", identity: Identity())
            let admin = try await scene.harness.visitor(.admin)
            let gone = scene.harness.app.id
            let again = try await admin.post("/problems/letters/\(gone)/retry", ["app": "shop"])
            #expect(again.status == 404 && again.text.contains("There is no such dead letter."))
            #expect(again.text.contains("Somebody may have tried it again already"))
            #expect(again.text.contains("value=\"\(gone)\" selected"))
            #expect(again.text.contains("Unreachable") && again.text.contains("name=\"app\" value=\"shop\""))
            for kind in ["quarantined", "webhooks"] {
                let answer = try await admin.post("/problems/\(kind)/\(gone)/retry")
                #expect(answer.status == 404 && answer.text.contains("Unreachable"), "\(kind)")
            }
            let removed = try await admin.post("/problems/letters/retry", ["app": "gone"])
            #expect(removed.status == 404 && removed.text.contains("There is no such app."))
            #expect(removed.text.contains("Unreachable"))
            #expect(try await scene.letters.count == 2)
        }
    }

    @Test("a queue is resumed where the button is, and said there when it goes on already")
    func resumed() async throws {
        try await Scene.run { scene in
            let (admin, id) = (try await scene.harness.visitor(.admin), scene.harness.app.id)
            let path = "/apps/\(id)/queues/\(scene.queue.word)/resume"
            try await scene.pause()
            #expect(try await admin.get("/problems?app=shop").text.contains("name=\"from\" value=\"problems\""))
            let form: KeyValuePairs = ["from": "problems", "app": "shop"]
            let done = try await admin.post(path, form)
            #expect(done.location == "/console/problems?app=shop&done=queue_resumed")
            let again = try await admin.post(path, form)
            #expect(again.status == 404 && again.text.contains("There is no such pause."))
            #expect(again.text.contains("Somebody may have resumed it already"))
            #expect(again.text.contains("value=\"\(id)\" selected") && again.text.contains("There are no problems."))
            let onApp = try await admin.post(path, ["from": "https://evil.example/"])
            #expect(onApp.status == 404 && onApp.text.contains("id=\"credentials\""))
            #expect(onApp.text.contains("There is no such pause.") && onApp.location == nil)
        }
        try await Scene.run { scene in
            try await scene.pause()
            let (admin, id) = (try await scene.harness.visitor(.admin), scene.harness.app.id)
            let form: KeyValuePairs = ["from": "https://evil.example/", "app": "shop"]
            let done = try await admin.post("/apps/\(id)/queues/\(scene.queue.word)/resume", form)
            #expect(done.location == "/console/apps/\(id)?done=queue_resumed")
        }
    }

    @Test("all of a kind are tried again with one press, and those of another app are not")
    func many() async throws {
        try await Scene.run { scene in
            try await scene.giveUp(5)
            let other = try await scene.store.createApp(name: "other", identity: Identity())
            let admin = try await scene.harness.visitor(.admin)
            let none = try await admin.post("/problems/letters/retry", ["app": other.id.description])
            #expect(none.location?.hasSuffix("done=retried_none") == true)
            #expect(try await scene.letters.count == 5)
            #expect(
                try await admin.get("/problems?done=retried_none").text.contains("Nothing of it can be tried again")
            )
            let all = try await admin.post("/problems/letters/retry")
            #expect(all.location == "/console/problems?done=retried")
            #expect(try await scene.letters.isEmpty)
            let counts = try await scene.audited("dead_letter.retry_many").map { $0.after?.objectValue?["count"] }
            #expect(counts == [5, 0])
        }
    }

    @Test("what cannot be tried again keeps no other from it, however much of it there is")
    func others() async throws {
        try await Scene.run { scene in
            try await scene.giveUp(2)
            try await scene.giveUpForGood(RetryRun.partLimit + 1)
            #expect(try await scene.letters.count == RetryRun.partLimit + 3)
            let admin = try await scene.harness.visitor(.admin)
            #expect(try await admin.post("/problems/letters/retry").location == "/console/problems?done=retried")
            #expect(try await scene.letters.count == RetryRun.partLimit + 1)
            let again = try await admin.post("/problems/letters/retry")
            #expect(again.location == "/console/problems?done=retried_none")
            let letter = try #require(try await scene.letters.first)
            #expect(try await admin.post("/problems/letters/\(letter.id)/retry").status == 409)
        }
    }

    /// The fields of the form that asks for the next part; nothing where there is none.
    private func nextPart(_ page: Visitor.Answer) -> [String: String] {
        guard
            let form = page.text.firstMatch(
                of: /<form method="post" action="\/console\/problems\/.*?<\/form>/.dotMatchesNewlines()
            )
        else { return [:] }
        let fields = form.0.matches(of: /name="(\w+)" value="([^"]*)"/).map { (String($0.1), String($0.2)) }
        return Dictionary(fields) { $1 }
    }

    private func press(_ form: [String: String], _ visitor: Visitor) async throws -> Visitor.Answer {
        let body = form.map { "\($0.key)=\(Link.escaped($0.value))" }.joined(separator: "&")
        return try await visitor.send(.post, "/problems/letters/retry", body)
    }

    @Test("more than a part tries again are done part by part, each of which says how far it is, and it ends")
    func parts() async throws {
        try await Scene.run { scene in
            try await scene.giveUp(450)
            let admin = try await scene.harness.visitor(.admin)
            let first = try await admin.post("/problems/letters/retry")
            #expect(first.status == 200 && first.text.contains("<strong>200 were tried again.</strong> 250 are left."))
            #expect(first.text.contains("<progress max=\"450\" value=\"200\"") && first.text.contains(" data-goes-on>"))
            #expect(first.text.contains(">Go on</button>") && first.text.contains("href=\"/console/problems?\""))
            #expect(try await scene.letters.count == 250)
            let second = try await press(nextPart(first), admin)
            #expect(second.text.contains("<strong>400 were tried again.</strong> 50 are left."), "\(second.text)")
            #expect(second.text.contains("<progress max=\"450\" value=\"400\""))
            let last = try await press(nextPart(second), admin)
            #expect(last.status == 200 && last.text.contains("<strong>450 were tried again.</strong></p>"))
            #expect(last.text.contains("<progress max=\"450\" value=\"450\"") && nextPart(last).isEmpty)
            #expect(last.text.contains("Back to Problems") && !last.text.contains(" data-goes-on"))
            #expect(try await scene.letters.isEmpty)
            let counts = try await scene.audited("dead_letter.retry_many").map { $0.after?.objectValue?["count"] }
            #expect(counts == [50, 200, 200])
        }
    }

    @Test("what fails again while the others are tried is not tried twice")
    func again() async throws {
        try await Scene.run { scene in
            try await scene.giveUp(RetryRun.partLimit + 1)
            let admin = try await scene.harness.visitor(.admin)
            let first = try await admin.post("/problems/letters/retry")
            #expect(first.text.contains("1 is left."))
            try await scene.giveUp(0)
            #expect(try await scene.letters.count == RetryRun.partLimit + 1)
            let last = try await press(nextPart(first), admin)
            #expect(last.text.contains("201 were tried again.") && nextPart(last).isEmpty)
            #expect(try await scene.letters.count == RetryRun.partLimit)
        }
    }

    @Test("what cannot be tried again is counted beside it, and odd numbers of a form decide nothing")
    func counted() async throws {
        try await Scene.run { scene in
            try await scene.giveUpForGood(1)
            try await scene.giveUp(RetryRun.partLimit)
            let admin = try await scene.harness.visitor(.admin)
            let first = try await admin.post("/problems/letters/retry")
            #expect(first.text.contains("200 were tried again.</strong> 1 is left."))
            var form = nextPart(first)
            let last = try await press(form, admin)
            #expect(last.text.contains("200 were tried again.</strong></p><p>1 cannot be tried again"), "\(last.text)")
            #expect(last.text.contains("<progress max=\"201\" value=\"201\"") && nextPart(last).isEmpty)
            for odd in ["-5", "x", "9999999999999999999999", "1e3", "<i>"] {
                for name in ["retried", "refused", "total"] { form[name] = odd }
                let answer = try await press(form, admin)
                #expect(answer.status == 200 && answer.text.contains("0 were tried again."), "\(odd)")
                #expect(answer.text.contains("<progress max=\"1\" value=\"1\""), "\(odd)")
            }
            form["after"] = "x"
            #expect(try await press(form, admin).status == 422)
        }
    }

    @Test("quarantined work and a webhook's message are tried again")
    func kinds() async throws {
        try await PlantedScene.run(.secrets) { scene in
            let admin = try scene.visitor(.admin)
            let failed = try await scene.failed()
            #expect(Set(failed.map(\.0)) == ["letters", "quarantined", "webhooks"])
            for (kind, id) in failed {
                let answer = try await admin.post("/problems/\(kind)/\(id)/retry")
                #expect(answer.location == "/console/problems?done=retried", "\(kind): \(answer.text)")
            }
            #expect(try await scene.failed().isEmpty)
            let paused = try await admin.get("/problems")
            #expect(paused.text.contains("apns/sandbox") && paused.text.contains("/queues/apns/sandbox/resume"))
            #expect(try await admin.post("/apps/\(scene.app.id)/queues/apns/sandbox/resume").status == 303)
            #expect(try await admin.get("/problems").text.contains("There are no problems."))
        }
    }

    @Test("a paused queue is named in words, with what waits in it and the way to its credential and to the doctor")
    func paused() async throws {
        try await Scene.run { scene in
            try await scene.pause()
            let english = Texts(preferred: ["en"])
            let page = try await scene.harness.visitor(.admin).get("/problems").text
            #expect(page.contains(english.name(of: scene.queue)) && page.contains("2 deliveries wait"))
            #expect(page.contains("expire and are not sent") && !page.contains("Nothing is lost"))
            let app = "/console/apps/\(scene.harness.app.id)"
            #expect(page.contains("action=\"\(app)/credentials\"") && page.contains("value=\"com.example.app\""))
            #expect(page.contains("type=\"hidden\" name=\"platform\" value=\"apns\"") && !page.contains("vapid"))
            #expect(page.contains("href=\"\(app)/findings\""))
            let seen = try await scene.harness.visitor(.viewer).get("/problems").text
            #expect(seen.contains("Only an admin can replace") && !seen.contains("/credentials"))
            #expect(!seen.contains("/findings\""))
        }
    }

    @Test("who may not try again sees what failed and no button for it")
    func roles() async throws {
        try await PlantedScene.run(.secrets) { scene in
            let before = try await scene.snapshot()
            for role in [OperatorRole.viewer, .sender] {
                let visitor = try scene.visitor(role)
                let page = try await visitor.get("/problems")
                #expect(page.status == 200 && page.text.contains("BadDeviceToken"))
                #expect(!page.text.contains("/retry\"") && !page.text.contains("/resume\""), "\(role)")
                for kind in FailedWorkKind.allCases {
                    #expect(try await visitor.post("/problems/\(kind.rawValue)/retry").status == 403, "\(role)")
                }
            }
            #expect(try await scene.snapshot() == before)
        }
    }
}
