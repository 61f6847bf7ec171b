import ArgumentParser
import MartletWire

extension DevicesCommand {
    /// `martlet devices import`.
    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Registers the devices of a CSV file, a thousand in one request.",
            discussion: """
                The first line names the columns: token and user_id (or user), and of platform, provider, environment, \
                previous_token, device_model, os_version, app_version, locale, time_zone and app those that you have, in \
                any order. An empty field says nothing. Fields with commas or quotation marks are in quotation marks; \
                no field has a line break. The file is UTF-8.

                    token,user_id,platform,environment,locale
                    2f0c…,rider-7,apns,production,ja-JP
                    "91d3…","smith, j",,,

                Each line that is refused is printed with its number and the reason; the others are registered. Importing \
                the file again updates the same devices. With --json each refused line is an object on a line of its own, \
                {"line":3,"error":{…}}, and the last line has the counts.

                Returns 1 if a line was refused.

                Example: martlet devices import devices.csv --app com.example.app
                """
        )

        @Argument(help: "The CSV file; - reads standard input.")
        var file: String
        @Option(help: "The app's name or id, for lines without one; a key of one app needs none.")
        var app: String?
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            let output = connection.output
            var devices = DeviceImport(client: try await connection.client(), output: output, app: app)
            try await devices.run(try FileLines(file, limit: DeviceColumns.lineLimit))
            let counts = devices.counts
            if connection.json {
                try output.jsonLine(counts)
            } else {
                output.lines([
                    "Registered \(counts.registered), updated \(counts.updated), refused \(counts.refused)."
                ])
            }
            if counts.refused > 0 { throw ExitCode(1) }
        }
    }
}
