/// Ends the process when something that must hold does not, so that libFuzzer keeps the input.
func demand(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { fatalError("BROKEN: \(message())") }  // a trap is how libFuzzer learns of a finding
}
