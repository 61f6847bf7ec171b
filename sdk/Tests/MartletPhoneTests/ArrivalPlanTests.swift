import Foundation
import Testing
import UserNotifications

@testable import MartletPhone

@Suite("What the system does with a push")
struct ArrivalPlanTests {
    static let everything = NotificationPermission(status: .authorized, granted: [.alert, .sound, .badge])
    static let nothing = NotificationPermission(status: .denied)

    private func plan(
        _ payload: String,
        _ state: AppState,
        _ permission: NotificationPermission = everything,
        hasExtension: Bool = true
    ) -> ArrivalPlan {
        ArrivalPlan(
            SystemPayload(Data(payload.utf8)),
            permission: permission,
            state: state,
            hasExtension: hasExtension
        )
    }

    @Test("an alert shows by itself, unless the app is in front: then the app is asked", arguments: AppState.allCases)
    func alerts(_ state: AppState) {
        let plan = plan(#"{"aps":{"alert":"x","badge":3}}"#, state)
        #expect(plan.asksApp == (state == .foreground))
        #expect(plan.shows == (state != .foreground))
        #expect(plan.setsBadge == (state != .foreground))
        #expect(!plan.runsExtension && !plan.tellsApp)
    }

    @Test("the extension runs for an alert that is mutable, in every state", arguments: AppState.allCases)
    func extensions(_ state: AppState) {
        #expect(plan(#"{"aps":{"alert":"x","mutable-content":1}}"#, state).runsExtension)
        #expect(!plan(#"{"aps":{"alert":"x"}}"#, state).runsExtension)
        #expect(!plan(#"{"aps":{"badge":1,"mutable-content":1}}"#, state).runsExtension)
        #expect(!plan(#"{"aps":{"alert":"x","mutable-content":1}}"#, state, hasExtension: false).runsExtension)
    }

    @Test("without permission nothing shows and no extension runs; a silent push still comes")
    func withoutPermission() {
        let payload = #"{"aps":{"alert":"x","badge":1,"mutable-content":1,"content-available":1}}"#
        for permission in [Self.nothing, NotificationPermission()] {
            #expect(plan(payload, .background, permission) == ArrivalPlan(tellsApp: true))
            #expect(plan(payload, .foreground, permission) == ArrivalPlan(tellsApp: true))
        }
    }

    @Test("an app that the user swiped away is not started for a silent push")
    func silent() {
        let payload = #"{"aps":{"content-available":1}}"#
        #expect(plan(payload, .background) == ArrivalPlan(tellsApp: true))
        #expect(plan(payload, .notRunning) == ArrivalPlan(tellsApp: true))
        #expect(plan(payload, .foreground) == ArrivalPlan(tellsApp: true))
        #expect(plan(payload, .swipedAway) == ArrivalPlan())
    }

    @Test("what the user did not allow is left out")
    func parts() {
        let badgeOnly = NotificationPermission(status: .authorized, granted: [.badge])
        let plan = plan(#"{"aps":{"alert":"x","badge":1}}"#, .background, badgeOnly)
        #expect(!plan.shows)
        #expect(plan.setsBadge)
    }

    @Test(
        "members of a wrong type count as absent",
        arguments: [
            "", "[]", "null", "{", #"{"aps":[]}"#, #"{"aps":{"alert":7,"badge":"3","mutable-content":"1"}}"#,
            #"{"aps":{"alert":{"title":1},"content-available":true}}"#, #"{"alert":"x"}"#,
            String(repeating: "[", count: 600),
        ]
    )
    func wrongTypes(_ payload: String) {
        #expect(plan(payload, .background) == ArrivalPlan())
    }

    @Test("the whole aps dictionary is read")
    func reads() {
        let payload = SystemPayload(
            Data(
                #"""
                {"aps":{"alert":{"title":"t","subtitle":"s","body":"b"},"badge":4,"sound":{"name":"bell.caf"},
                "category":"c","thread-id":"th","target-content-id":"w","interruption-level":"time-sensitive",
                "relevance-score":0.5},"message_id":"m"}
                """#.utf8
            )
        )
        #expect(payload.content.title == "t" && payload.content.subtitle == "s" && payload.content.body == "b")
        #expect(payload.content.badge == 4 && payload.content.sound == "bell.caf")
        #expect(payload.content.categoryIdentifier == "c" && payload.content.threadIdentifier == "th")
        #expect(payload.content.targetContentIdentifier == "w" && payload.content.relevanceScore == 0.5)
        #expect(payload.content.interruptionLevel == 2)
        #expect(payload.content.userInfo.object["message_id"] as? String == "m")
    }
}
