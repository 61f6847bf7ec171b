/// How a simulator listens and what it does from the start; what only its service has is a member here too.
@dynamicMemberLookup
package struct SimulatorConfiguration<Service: SimulatedService>: Sendable {
    /// Address of all ports.
    package var host = "127.0.0.1"
    /// Port of the service; 0 takes a free one.
    package var port: Int
    /// Port of the control API; 0 takes a free one, `nil` for none.
    package var controlPort: Int?
    /// The server's certificate.
    package var certificate = SimulatorCertificate.selfMade
    /// Signs the certificate; `nil` makes a new one.
    package var authority: SimulatorAuthority?
    /// File that the authority's certificate is written to, as PEM, for clients to trust.
    package var authorityPath: String?
    /// Scripted behaviour from the start.
    package var rules: [ServiceRule<Service.Condition>] = []
    /// Seed of the rules' chances.
    package var seed: UInt64 = 1
    /// Received requests that can be read back; the oldest is dropped first.
    package var receivedLimit = 200_000
    /// Threads of the server.
    package var threads = 1

    private var settings = Service.Settings()

    package init(port: Int = 0, controlPort: Int? = 0) {
        self.port = port
        self.controlPort = controlPort
    }

    package subscript<Value>(dynamicMember member: WritableKeyPath<Service.Settings, Value>) -> Value {
        get { settings[keyPath: member] }
        set { settings[keyPath: member] = newValue }
    }
}
