import Foundation
import MartletCore
import MartletTesting
import MartletWire

extension FaultCase {
    /// What happens on the way to FCM.
    static let fcm = [
        FaultCase(name: "FCM: 503 storm", platform: .fcm, isRecorded: true) { scene in
            try await storm(scene, "UNAVAILABLE")
        },
        FaultCase(name: "FCM: 404 and 400 for 30 %", platform: .fcm, refused: 0.25...0.35) { scene in
            try await refuse(scene, "UNREGISTERED", "INVALID_TOKEN")
        },
        // The 404s that come at a second or third attempt are counted too.
        FaultCase(
            name: "FCM: 404, 429, 503 and a lost answer, 5 % each",
            platform: .fcm,
            refused: 0.04...0.08,
            isRecorded: true
        ) { scene in
            let answers = [
                #"{"do": "respond", "errorCode": "UNREGISTERED"}"#,
                #"{"do": "respond", "errorCode": "DEVICE_QUOTA_EXCEEDED", "retryAfter": 1}"#,
                #"{"do": "respond", "errorCode": "UNAVAILABLE", "retryAfter": 1}"#,
                // RFC 9113, section 7: CANCEL, which says nothing of what became of it.
                #"{"do": "reset", "code": 8}"#,
            ]
            for (number, answer) in answers.enumerated() {
                // Of those that the rules before let pass.
                let part = 0.05 / (1 - 0.05 * Double(number))
                try await scene.simulator.script(#"{"probability": \#(part), "then": \#(answer)}"#)
            }
            try await scene.send()
        },
        FaultCase(name: "FCM: the access token expires, 429 for some devices", platform: .fcm) { scene in
            let answer = #"{"do": "respond", "errorCode": "DEVICE_QUOTA_EXCEEDED", "retryAfter": 1}"#
            try await scene.simulator.script(#"{"every": 20, "then": \#(answer)}"#)
            try await scene.slowDown()
            try await scene.send()
            try await scene.untilReceived(scene.share(4))
            // Once: where one that has just taken the place of another is refused too, an operator has to act.
            try await scene.simulator.call("POST", "/access-tokens", #"{"expire": true}"#)
            try await scene.untilTokenRefused()
        },
        FaultCase(name: "FCM: TCP reset four times", platform: .fcm, mayRepeat: true) { scene in
            try await resetFourTimes(scene)
        },
        FaultCase(name: "FCM: SIGKILL at any moment", platform: .fcm, mayRepeat: true, answerSeconds: 10) { scene in
            try await killAtAnyMoment(scene, "FCM: SIGKILL at any moment")
        },
    ]

    /// What happens on the way to browsers' push services.
    static let webPush = [
        FaultCase(name: "Web Push: 503 storm", platform: .webpush, isRecorded: true, answerSeconds: 10) { scene in
            try await storm(scene, "unavailable")
        },
        FaultCase(
            name: "Web Push: 410 and 404 for 30 %",
            platform: .webpush,
            refused: 0.25...0.35,
            answerSeconds: 10
        ) { scene in
            try await refuse(scene, "gone", "missing")
        },
        FaultCase(
            name: "Web Push: TCP reset four times",
            platform: .webpush,
            mayRepeat: true,
            answerSeconds: 10
        ) { scene in
            try await resetFourTimes(scene)
        },
        FaultCase(
            name: "Web Push: 429 with Retry-After",
            platform: .webpush,
            isRecorded: true,
            answerSeconds: 10
        ) { scene in
            // Longer than the policy's own delay.
            let answer = #"{"do": "respond", "errorCode": "tooMany", "retryAfter": 2}"#
            try await scene.simulator.script(#"{"every": 5, "then": \#(answer)}"#)
            try await scene.send()
        },
        FaultCase(
            name: "Web Push: one service hangs",
            platform: .webpush,
            services: ["google", "mozilla"],
            isRecorded: true,
            answerSeconds: 5
        ) { scene in
            try await scene.simulator.script(#"{"when": {"service": "mozilla"}, "then": {"do": "hang"}}"#)
            try await scene.send()
            // What is at the other service is delivered meanwhile, all of it.
            let half = scene.share(2)
            let google = [#"environment="google""#, #"state="accepted""#]
            try await scene.untilCounted("martlet_deliveries_total", google, atLeast: half)
            try await scene.endRules()
        },
        FaultCase(
            name: "Web Push: SIGKILL at any moment",
            platform: .webpush,
            mayRepeat: true,
            answerSeconds: 10
        ) { scene in
            try await killAtAnyMoment(scene, "Web Push: SIGKILL at any moment")
        },
    ]

    private static func respond(_ code: String, _ members: String = #""scope": "accepted""#) -> String {
        #"{\#(members), "then": {"do": "respond", "errorCode": "\#(code)"}}"#
    }

    /// Resets the connection under a push, four times.
    private static func resetFourTimes(_ scene: FaultScene) async throws {
        try await scene.simulator.script(#"{"every": \#(scene.share(5)), "times": 4, "then": {"do": "abort"}}"#)
        try await scene.send()
    }

    /// Refuses everything for a while.
    private static func storm(_ scene: FaultScene, _ code: String) async throws {
        let answer = #"{"do": "respond", "errorCode": "\#(code)", "retryAfter": 1}"#
        try await scene.simulator.script(#"{"then": \#(answer)}"#)
        try await scene.send()
        try await scene.untilReceived(1)
        try await scene.last(scene.form.outage)
        try await scene.endRules()
    }

    /// Refuses 30 in a hundred for good, a half with each code.
    private static func refuse(_ scene: FaultScene, _ first: String, _ second: String) async throws {
        try await scene.simulator.script(respond(first, #""probability": 0.15"#))
        // Of those that the rule above lets pass.
        try await scene.simulator.script(respond(second, #""probability": 0.176"#))
        try await scene.send()
    }
}
