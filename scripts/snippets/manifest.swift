// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Game",
    dependencies: [
        // the snippet
    ],
    targets: [
        .target(
            name: "Game",
            dependencies: [
                // the snippet
            ]
        )
    ]
)
