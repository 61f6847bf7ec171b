/// The `python3` that there is.
public enum Python {
    /// Whether it has these modules, separated by commas.
    public static func has(_ modules: String) -> Bool {
        (try? ProgramProcess.run(["-c", "import \(modules)"], executable: "python3"))?.status == 0
    }
}
