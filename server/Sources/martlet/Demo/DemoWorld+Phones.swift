import ServiceLifecycle

extension DemoWorld {
    /// Locks phones whose story is over and leaves them on as long as the server runs. Without a server that goes on they
    /// are switched off.
    @MainActor
    func putAway(_ phones: Phones) async {
        guard let lasting else { return await phones.switchOff() }
        for number in 1...phones.count { try? await phones.perform(PhoneOrder.Line(phone: number, order: .lock)) }
        await lasting.addServiceUnlessShutdown(LockedPhones(phones: phones))
    }
}

/// Phones that show what comes. They are switched off before the server ends: services end in reverse order.
private struct LockedPhones: Service, CustomStringConvertible {
    let phones: Phones

    var description: String { "phones" }

    func run() async throws {
        try? await gracefulShutdown()
        await phones.switchOff()
    }
}
