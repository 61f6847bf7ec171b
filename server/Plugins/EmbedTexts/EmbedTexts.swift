import Foundation
import PackagePlugin

/// Puts the texts of a target (its pages, scripts and schema: every file that is no Swift) into its code, as string literals.
/// SwiftPM's own way, `.embedInCode`, writes a number for each byte: the console's took the compiler a minute and a half.
@main struct EmbedTexts: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = target.directoryURL
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey])
        let texts = (files?.compactMap { $0 as? URL } ?? []).filter {
            !$0.lastPathComponent.hasPrefix(".") && !["swift", "md"].contains($0.pathExtension)
                && (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true
        }.sorted { $0.path < $1.path }
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedTexts.swift")
        return [
            .buildCommand(
                displayName: "Embedding \(texts.count) texts of \(target.name)",
                executable: try context.tool(named: "embed-texts").url,
                arguments: [output.path] + texts.map(\.path),
                inputFiles: texts,
                outputFiles: [output]
            )
        ]
    }
}
