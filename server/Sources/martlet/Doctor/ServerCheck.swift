import MartletWire

/// Asks a server how it and its credentials are.
struct ServerCheck {
    let connection: ConnectionOptions
    let app: String?

    /// What was found.
    func findings() async -> [FindingItem] {
        let client: APIClient
        do {
            client = try await connection.client()
            guard try await client.status(of: "/healthz") == 200 else {
                return [
                    problem(
                        "\(client.server) answers, but not as a healthy Martlet server.",
                        "Does --server name the right one?"
                    )
                ]
            }
        } catch {
            return [FindingItem(error, subject: "server")]
        }
        var findings = [await readiness(client)]
        do {
            let path: APIPath = "doctor"
            let found: MartletWire.List<FindingItem> = try await client.get(path.query([("app", app)]))
            findings += found.data
        } catch {
            findings.append(FindingItem(error, subject: "credentials"))
        }
        return findings
    }

    private func readiness(_ client: APIClient) async -> FindingItem {
        let isReady = (try? await client.status(of: "/readyz")) == 200
        guard isReady else {
            return problem(
                "\(client.server) is alive, but takes no work.",
                "Its log says why: look for the last error."
            )
        }
        return FindingItem(level: .ok, subject: "server", message: "\(client.server) takes work.", advice: nil)
    }

    private func problem(_ message: String, _ advice: String) -> FindingItem {
        FindingItem(level: .problem, subject: "server", message: message, advice: advice)
    }
}
