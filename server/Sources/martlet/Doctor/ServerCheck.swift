import MartletWire

/// Asks a server how it and its credentials are.
struct ServerCheck {
    let connection: ConnectionOptions
    let app: String?

    /// What was found.
    func findings() async -> [Finding] {
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
            return [Finding(error, subject: "server")]
        }
        var findings = [await readiness(client)]
        do {
            let path: APIPath = "doctor"
            let found: MartletWire.List<Finding> = try await client.get(path.query([("app", app)]))
            findings += found.data
        } catch {
            findings.append(Finding(error, subject: "credentials"))
        }
        return findings
    }

    private func readiness(_ client: APIClient) async -> Finding {
        let isReady = (try? await client.status(of: "/readyz")) == 200
        guard isReady else {
            return problem(
                "\(client.server) is alive, but takes no work.",
                "Its log says why: look for the last error."
            )
        }
        return Finding(.ok, "server", "\(client.server) takes work.")
    }

    private func problem(_ message: String, _ advice: String) -> Finding {
        Finding(.problem, "server", message, advice: advice)
    }
}
