import ArgumentParser
import Foundation
import MartletWire

/// `martlet devices`.
struct DevicesCommand: AsyncParsableCommand, Listed {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "Manages devices, to which pushes can go.",
        subcommands: [ListCommand<Self>.self, Show.self, Register.self, Import.self, Delete.self],
        defaultSubcommand: ListCommand<Self>.self
    )

    /// The first characters of a token: enough to recognise it by, too few to use it.
    static func short(_ token: String) -> String { token.prefix(8) + "…" }

    /// A device as pairs.
    static func pairs(_ device: DeviceResponse) -> [(String, String?)] {
        [
            ("id", device.id.description), ("user", device.userID), ("token", device.deviceToken),
            ("platform", device.platform.rawValue), ("provider", device.provider.rawValue),
            ("environment", device.environment?.rawValue ?? "not known yet"),
            ("active", device.isActive ? "yes" : "no: \(device.inactiveReason ?? "")"),
            ("installation", device.installationID?.description), ("model", device.deviceModel),
            ("system", device.osVersion), ("app version", device.appVersion), ("locale", device.locale),
            ("time zone", device.timeZone), ("permission", device.permission?.rawValue),
            ("first seen", device.createdAt.description),
            ("last registered", device.lastSeenAt.description),
        ]
    }

    static let list = ListRow<DeviceResponse, Paged<Filter>>(
        abstract: "Lists an app's devices, or those of one user.",
        discussion: "Example: martlet devices list --app com.example.app --user amira",
        path: { _ in "devices" },
        empty: { _ in "There are no devices." },
        columns: [
            ("USER", \.userID), ("TOKEN", { short($0.deviceToken) }), ("ENVIRONMENT", \.environment?.rawValue),
            ("STATE", { $0.isActive ? "active" : $0.inactiveReason ?? "inactive" }),
            ("LAST REGISTERED", \.lastSeenAt.description), ("ID", \.id.description),
        ]
    )

    /// Which devices a list has.
    struct Filter: RequestOptions {
        @OptionGroup var app: AppOptions
        @Option(help: "Only this user's devices.")
        var user: String?
        @Option(help: "Only those that pushes are made to: 'true', or the others: 'false'.")
        var active: Bool?

        var parameters: [(String, String?)] {
            app.parameters + [("user_id", user), ("is_active", active?.description)]
        }
    }

    /// One device.
    struct Device: RequestOptions {
        @Argument(help: "The device's id.")
        var id: String
        @OptionGroup var app: AppOptions

        var parameters: [(String, String?)] { app.parameters }
        var path: APIPath { APIPath("devices/\(id)").query(parameters) }
    }

    /// `martlet devices show`.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows a device.",
            discussion: "Example: martlet devices show 01890a5d-ac96-774b-bcce-b302099a8057 --app com.example.app"
        )

        @OptionGroup var device: Device
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            let found: Item<DeviceResponse> = try await connection.client().get(device.path)
            try connection.output.show(found.data, pairs: DevicesCommand.pairs(found.data))
        }
    }

    /// `martlet devices register`.
    struct Register: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Registers or updates a device; a token of another user moves.",
            discussion: """
                A browser is registered from the file with its subscription, as PushSubscription.toJSON() gives it; the token \
                is the address in it.

                Examples:
                  martlet devices register 0a1b…64-digits --app com.example.app --user amira
                  martlet devices register fQ3x…:APA91b… --platform fcm --app com.example.app --user amira
                  martlet devices register --subscription subscription.json --app shop --user amira
                """
        )

        @Argument(help: "The provider's token; Apple's is hexadecimal. None with --subscription.")
        var token: String?
        @Option(help: "'ios', 'android' or 'web', or the provider: 'apns', 'fcm' or 'webpush'. Default: 'ios'.")
        var platform: DevicePlatform?
        @Option(help: "The provider, where it is not the platform's own, as 'fcm' on 'ios'.")
        var provider: PlatformName?
        @Option(help: "The JSON file of a browser's subscription.")
        var subscription: String?
        @OptionGroup var app: AppOptions
        @Option(help: "The user that the device belongs to.")
        var user: String?
        @Option(help: "'sandbox' or 'production'. Default: the server finds out.")
        var environment: EnvironmentName?
        @OptionGroup var connection: ConnectionOptions

        func validate() throws {
            if (token == nil) == (subscription == nil) {
                throw ValidationError("Give a token, or --subscription with a browser's.")
            }
            if subscription != nil, let platform, platform.provider != .webpush {
                throw ValidationError("A subscription is a browser's: its platform is 'web'.")
            }
        }

        func run() async throws {
            let device: Item<DeviceResponse> = try await connection.client().call(.post, "devices", request())
            try connection.output.show(device.data, pairs: DevicesCommand.pairs(device.data))
        }

        private func request() throws -> DeviceRequest {
            var request = DeviceRequest(
                app: app.app,
                userID: user,
                token: token,
                platform: platform,
                environment: environment
            )
            request.provider = provider
            guard let subscription else { return request }
            let value = try InputFile.json(subscription)
            guard let read = try? JSONDecoder().decode(WebPushSubscription.self, from: value.json()) else {
                throw CommandFailure(
                    "\(subscription) has no subscription of a browser.",
                    hint: #"toJSON() of a PushSubscription gives {"endpoint": …, "keys": {"p256dh": …, "auth": …}}."#
                )
            }
            (request.provider, request.subscription) = (.webpush, read)
            return request
        }
    }

    /// `martlet devices delete`.
    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes a device: nothing is sent there any more.",
            discussion: "Example: martlet devices delete 01890a5d-ac96-774b-bcce-b302099a8057 --app com.example.app"
        )

        @OptionGroup var device: Device
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            try await connection.client().perform(.delete, device.path)
            try connection.output.say("Removed \(device.id).", data: ["removed": device.id])
        }
    }
}
