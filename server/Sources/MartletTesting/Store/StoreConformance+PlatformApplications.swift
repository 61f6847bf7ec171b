import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// How platform applications are made, found, changed and deleted.
    static let platformApplications: [Check] = [
        Check("an application is made with an app of its own and its credential, once") { world in
            let draft = world.applicationDraft("shop", credential: world.credentialDraft())
            let made = try await world.store.createPlatformApplication(draft)
            let application = made.application
            try expect(made.isNew, is: true, "whether it is new")
            let app = try unwrap(try await world.store.app(.id(draft.appID)), "app")
            try expect(app.name, is: "shop", "the app's name")
            try expect(
                application.queue,
                is: DeliveryQueue(app: app.row, platform: .apns, environment: .production),
                "queue"
            )
            try expect(try await world.store.credentials(app.row).map(\.queue), is: [application.queue], "credentials")
            try expect(application.attributes, is: ["a": "b"], "attributes")
            try expect(application.sealed, is: [7], "what is sealed")
            var again = world.applicationDraft("shop", credential: nil)
            again.isEnabled = false
            let known = try await world.store.createPlatformApplication(again)
            try expect(known, is: CreatedPlatformApplication(application: application, isNew: false), "the known one")
            try expect(try await world.store.app(.id(again.appID)), is: nil, "another app")
            try expect(try await world.store.platformApplication(of: application.queue), is: application, "by queue")
        },
        Check("names are taken for each kind and region, and apps are called otherwise then") { world in
            var names: [String] = []
            for (kind, region) in [
                (PlatformApplication.Kind.apns, "here"), (.apnsSandbox, "here"), (.apns, "there"), (.apns, "elsewhere"),
            ] {
                let made = try await world.store.createPlatformApplication(
                    world.applicationDraft("shop", kind, region: region)
                )
                try expect(made.isNew, is: true, "whether \(kind) in \(region) is new")
                try expect(made.application.name, is: "shop", "its name")
                let app = try unwrap(try await world.store.app(.row(made.application.app)), "app")
                names.append(app.name)
            }
            try expect(names, is: ["shop", "shop-APNS_SANDBOX", "shop-APNS", "shop-APNS-2"], "names of apps")
        },
        Check("a credential makes its queue an application that is called as the app is, while it is there") { world in
            let app = try await world.makeApp("bank")
            let name = world.applicationName("bank", .apnsSandbox)
            try expect(try await world.store.platformApplication(name), is: nil, "before")
            let queue = try await world.makeQueue(app, .sandbox)
            let found = try unwrap(try await world.store.platformApplication(name), "application")
            try expect(found.queue, is: queue, "its queue")
            try expect(found.region, is: nil, "its region")
            try expect(found.isEnabled, is: true, "whether it is enabled")
            let elsewhere = PlatformApplicationName(kind: .apnsSandbox, region: "here", isHome: false, name: "bank")
            try expect(try await world.store.platformApplication(elsewhere), is: nil, "in another region")
            let other = world.applicationName("bank", .apns)
            try expect(try await world.store.platformApplication(other), is: nil, "the other environment's")
            _ = try await world.store.updatePlatformApplication(
                found.row,
                PlatformApplicationUpdate(attributes: ["a": "b"])
            )
            _ = try await world.makeQueue(app, .sandbox)
            let replaced = try await world.store.platformApplication(name)
            try expect(replaced?.attributes, is: ["a": "b"], "attributes after another credential")
            _ = try await world.store.updateApp(app.row, name: "trust", identity: nil)
            try expect(try await world.store.platformApplication(name), is: nil, "under the app's old name")
            let renamed = world.applicationName("trust", .apnsSandbox)
            try expect(try await world.store.platformApplication(renamed)?.row, is: found.row, "under its new name")
            try expect(try await world.store.deleteCredential(queue), is: true, "deleting the credential")
            try expect(try await world.store.platformApplication(renamed), is: nil, "without a credential")
        },
        Check("an application that was made goes before an app of its name") { world in
            let made = try await world.store.createPlatformApplication(world.applicationDraft("bank")).application
            let app = try await world.makeApp("bank-2")
            _ = try await world.makeQueue(app)
            _ = try await world.store.updateApp(made.app, name: "something else", identity: nil)
            _ = try await world.store.updateApp(app.row, name: "bank", identity: nil)
            let name = world.applicationName("bank")
            try expect(try await world.store.platformApplication(name)?.row, is: made.row, "the one that is found")
            let listed = try await world.store.platformApplications(.region("here", isHome: true), PageRequest())
            try expect(listed.items.map(\.row), is: [made.row], "the ones that are listed")
        },
        Check("applications are listed by age in pages, those of the home region with those of credentials") { world in
            var here: [PlatformApplication] = []
            for index in 0..<5 {
                if index == 2 {
                    let queue = try await world.makeQueue(try await world.makeApp("own"))
                    here.append(try unwrap(try await world.store.platformApplication(of: queue), "application"))
                }
                let draft = world.applicationDraft("shop\(index)")
                here.append(try await world.store.createPlatformApplication(draft).application)
            }
            let there = try await world.store.createPlatformApplication(
                world.applicationDraft("shop", region: "there")
            )
            let home = try await world.readAll(pagesOf: 2) { page in
                try await world.store.platformApplications(.region("here", isHome: true), page)
            }
            try expect(home, is: here, "the home region's")
            let others = try await world.readAll(pagesOf: 2) { page in
                try await world.store.platformApplications(.region("there", isHome: false), page)
            }
            try expect(others, is: [there.application], "another region's")
        },
        Check("a change of an application leaves what it does not name, and is seen at once") { world in
            let draft = world.applicationDraft("shop", credential: world.credentialDraft())
            let made = try await world.store.createPlatformApplication(draft).application
            let name = world.applicationName("shop")
            try expect(try await world.store.platformApplication(name), is: made, "before")
            let update = PlatformApplicationUpdate(
                isEnabled: false,
                attributes: ["c": "d", "a": nil],
                credential: world.credentialDraft(topic: "com.example.other")
            )
            let changed = try await world.store.updatePlatformApplication(made.row, update)
            try expect(changed.isEnabled, is: false, "whether it is enabled")
            try expect(changed.attributes, is: ["c": "d"], "attributes")
            try expect(changed.sealed, is: [7], "what is sealed")
            try expect(try await world.store.platformApplication(name), is: changed, "what is found")
            let topics = try await world.store.credentials(made.app).map(\.summary.topic)
            try expect(topics, is: ["com.example.other"], "the credential")
            try await expectRefusal(.notFound, "an application that does not exist") {
                _ = try await world.store.updatePlatformApplication(RowID(99), update)
            }
        },
        Check("a credential says whether its application is disabled, and so does the one that replaces it") { world in
            let app = try await world.makeApp("bank")
            let queues = [try await world.makeQueue(app), try await world.makeQueue(app, .sandbox)]
            func disabled() async throws -> [DeliveryQueue] {
                try await world.store.credentials(app.row).filter { !$0.isEnabled }.map(\.queue)
            }
            try expect(try await disabled(), is: [], "at first")
            let row = try unwrap(try await world.store.platformApplication(of: queues[1]), "application").row
            _ = try await world.store.updatePlatformApplication(row, PlatformApplicationUpdate(isEnabled: false))
            try expect(try await disabled(), is: [queues[1]], "after one was disabled")
            let stored = try await world.store.storeCredential(queues[1], world.credentialDraft())
            try expect(stored.isEnabled, is: false, "a new credential")
            try expect(try await disabled(), is: [queues[1]], "after it has a new credential")
            _ = try await world.store.updatePlatformApplication(row, PlatformApplicationUpdate(isEnabled: true))
            try expect(try await disabled(), is: [], "after it was enabled")
        },
        Check("a deleted application takes its app with it when nothing else is in it") { world in
            let draft = world.applicationDraft("shop", credential: world.credentialDraft())
            let made = try await world.store.createPlatformApplication(draft).application
            _ = try await world.store.createPlatformEndpoint(made, PlatformEndpointDraft(token: world.token(1)))
            try expect(try await world.store.deletePlatformApplication(made.row), is: true, "deleting")
            try expect(try await world.store.deletePlatformApplication(made.row), is: false, "deleting again")
            try expect(try await world.store.app(.row(made.app)), is: nil, "its app")
            let again = try await world.store.createPlatformApplication(draft)
            try expect(again.isNew, is: true, "whether the name is free")
            let left = try await world.store.platformEndpoints(again.application, PageRequest()).items
            try expect(left, is: [], "endpoints of the new one")
        },
        Check("a deleted application leaves the app, other credentials and other endpoints") { world in
            let app = try await world.makeApp("bank")
            let (production, sandbox) = (try await world.makeQueue(app), try await world.makeQueue(app, .sandbox))
            let kept = try await world.register(app, 1, environment: .sandbox)
            let gone = try await world.register(app, 2)
            let row = try unwrap(try await world.store.platformApplication(of: production), "application").row
            try expect(try await world.store.deletePlatformApplication(row), is: true, "deleting")
            try expect(try await world.store.app(.row(app.row)), is: app, "the app")
            try expect(try await world.store.credentials(app.row).map(\.queue), is: [sandbox], "credentials")
            let listed = try await world.store.endpoints(app.row, user: nil, PageRequest()).items
            try expect(listed.map(\.row), is: [kept.row], "endpoints")
            let removed = try await world.endpoint(app, gone.row)
            try expect(removed.status, is: .removed(.byRequest), "what became of its own")
        },
        Check("an app that was made for an application and used otherwise since outlives it") { world in
            let draft = world.applicationDraft("shop", credential: world.credentialDraft())
            let made = try await world.store.createPlatformApplication(draft).application
            let app = try unwrap(try await world.store.app(.row(made.app)), "app")
            let endpoint = try await world.register(app, 1, user: "ann")
            try expect(try await world.store.deletePlatformApplication(made.row), is: true, "deleting")
            try expect(try await world.store.app(.row(made.app)), is: app, "the app")
            try expect(try await world.store.credentials(made.app), is: [], "its credentials")
            try expect(try await world.endpoint(app, endpoint.row).status, is: .removed(.byRequest), "its endpoint")
        },
        Check("a deleted app takes its applications with it") { world in
            let made = try await world.store.createPlatformApplication(world.applicationDraft("shop")).application
            try await world.store.deleteApp(made.app)
            try expect(try await world.store.platformApplication(world.applicationName("shop")), is: nil, "by name")
            let again = try await world.store.createPlatformApplication(world.applicationDraft("shop"))
            try expect(again.isNew, is: true, "whether the name is free")
        },
    ]
}

extension World {
    /// A name in the region `here`, which is the server's own.
    func applicationName(
        _ name: String,
        _ kind: PlatformApplication.Kind = .apns,
        region: String = "here"
    ) -> PlatformApplicationName {
        PlatformApplicationName(kind: kind, region: region, isHome: region == "here", name: name)
    }

    /// An application to make.
    func applicationDraft(
        _ name: String,
        _ kind: PlatformApplication.Kind = .apns,
        region: String = "here",
        credential: StoredCredentialDraft? = nil
    ) -> PlatformApplicationDraft {
        PlatformApplicationDraft(
            name: applicationName(name, kind, region: region),
            appID: makeID(),
            attributes: ["a": "b"],
            sealed: [7],
            credential: credential
        )
    }
}
