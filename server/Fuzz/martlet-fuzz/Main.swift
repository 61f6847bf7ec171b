import CLibFuzzer
import Foundation

/// `martlet-fuzz TARGET` and what libFuzzer takes: its flags, and folders of inputs.
///
/// The package manager gives every program a main function of its own, so libFuzzer's is not used.
@main
enum Main {
    static func main() {
        guard CommandLine.argc > 1, let name = CommandLine.unsafeArgv[1].map({ String(cString: $0) }),
            let target = FuzzTarget(rawValue: name)
        else {
            let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
            FileHandle.standardError.write(Data("martlet-fuzz: name a target: \(names)\n".utf8))
            exit(2)
        }
        chosen = target
        // libFuzzer reads the name of the program first, whatever it is, and then its flags.
        var count = CommandLine.argc - 1
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv + 1
        exit(LLVMFuzzerRunDriver(&count, &arguments) { runOne($0, $1) })
    }
}

/// The target of this process.
nonisolated(unsafe) private var chosen = FuzzTarget.frames  // set once, before libFuzzer's only thread of inputs begins

/// What libFuzzer calls for each input; -1 for one that is not worth keeping.
@_cdecl("LLVMFuzzerTestOneInput")
func runOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    chosen.run(FuzzInput(Array(UnsafeBufferPointer(start: start, count: count)))) ? 0 : -1
}
