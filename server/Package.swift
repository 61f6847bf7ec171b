// swift-tools-version: 6.2

import PackageDescription

/// Whether this is the build of `scripts/fuzz`, in which our own modules say which of their branches an input reaches.
let isFuzzed = Context.environment["MARTLET_FUZZ"] != nil
let sanitizers = "-sanitize=fuzzer,address"

let fuzzSettings: [SwiftSetting] = isFuzzed ? [.unsafeFlags([sanitizers, "-enable-testing"])] : []

/// Whether this is the build of `scripts/test`: for release, where tests can reach what is internal. One build then has the
/// program that users run and its tests, and the libraries in C are compiled once.
let isTested = Context.environment["MARTLET_TESTABLE"] != nil
/// No debugger looks at it.
let testableSettings: [SwiftSetting] = isTested ? [.unsafeFlags(["-enable-testing", "-gnone"])] : []
/// Tests are compiled once and run once: what the optimizer takes longer for them they do not give back.
let testSettings: [SwiftSetting] = isTested ? [.unsafeFlags(["-Onone"])] : []

let settings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ] + fuzzSettings + testableSettings

let package = Package(
    name: "martlet-server",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "martlet", targets: ["martlet"])
    ],
    dependencies: [
        // Not the root: that has what apps link, and neither the wire format nor a phone.
        .package(path: "../sdk"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.0"),
        // One trait each at most: a compiler gets several in an order of chance, and compiles all anew when it is another.
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: ["YAML"]),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.0"),
    ],
    targets: [
        .target(
            name: "MartletCore",
            dependencies: ["MartletFilter", .wire, .logging, .crypto, .cryptoExtras],
            swiftSettings: settings
        ),
        .target(
            name: "MartletStore",
            dependencies: ["MartletCore", "MartletFilter", .wire],
            exclude: ["Migrations"],
            swiftSettings: settings,
            plugins: ["EmbedTexts"]
        ),
        .target(
            name: "MartletPipeline",
            dependencies: ["MartletCore", "MartletStore", .wire, .logging, .crypto],
            exclude: ["Delivery/Delivery.md"],
            swiftSettings: settings
        ),
        .target(
            name: "MartletEventQuery",
            dependencies: ["MartletCore", "MartletStore", .wire, .sqlite],
            swiftSettings: settings
        ),
        .target(
            name: "MartletSQLite",
            dependencies: ["MartletCore", "MartletEventQuery", "MartletStore", .wire, .grdb],
            swiftSettings: settings
        ),
        .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .target(
            name: "MartletPostgres",
            dependencies: ["CLibPQ", "MartletCore", "MartletEventQuery", "MartletStore", .wire],
            swiftSettings: settings
        ),
        .systemLibrary(name: "CNghttp2", pkgConfig: "libnghttp2", providers: [.apt(["libnghttp2-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "MartletTransport",
            dependencies: ["CNghttp2", .nioCore, .nioPosix, .nioSSL, .nioTLS, .logging],
            swiftSettings: settings
        ),
        .target(
            name: "MartletProviders",
            dependencies: [
                "MartletCore", "MartletTransport", .wire, .asyncHTTPClient, .crypto, .cryptoExtras, .x509, .asn1,
                .nioCore,
                .nioHTTP1, .nioPosix, .nioSSL, .logging, .metrics, .coreMetrics,
            ],
            swiftSettings: settings
        ),
        .target(name: "MartletFilter", swiftSettings: settings),
        .target(
            name: "MartletHTTP",
            dependencies: [
                "CZlib", "MartletPipeline", "MartletStore", "MartletCore", "MartletFilter", .wire, .hummingbird,
                .asyncHTTPClient, .jwt, .crypto, .logging,
                .httpTypes, .metrics, .coreMetrics, .nioCore, .nioHTTP1, .nioHTTPTypes,
                .nioHTTPTypesHTTP1, .nioSSL,
            ],
            exclude: ["WebPush/Scripts"],
            swiftSettings: settings,
            plugins: ["EmbedTexts"]
        ),
        .target(
            name: "MartletSNS",
            dependencies: [
                "MartletPipeline", "MartletStore", "MartletCore", "MartletFilter", .wire, .hummingbird, .crypto,
                .cryptoExtras, .x509, .asn1, .logging,
                .httpTypes, .nioCore,
            ],
            swiftSettings: settings
        ),
        .target(
            name: "MartletConsole",
            dependencies: [
                "MartletPipeline", "MartletStore", "MartletCore", .wire, .hummingbird, .lifecycle, .mustache, .crypto,
                .httpTypes, .logging, .nioCore,
            ],
            exclude: ["Assets", "Pages", "Texts"],
            swiftSettings: settings,
            plugins: ["EmbedTexts"]
        ),
        .target(
            name: "MartletWebhooks",
            dependencies: [
                "MartletPipeline", "MartletStore", "MartletCore", .wire, .asyncHTTPClient, .logging, .metrics,
                .coreMetrics, .nioCore, .nioHTTP1,
                .nioPosix, .nioSSL,
            ],
            swiftSettings: settings
        ),
        .target(
            name: "MartletSimulator",
            dependencies: [
                "MartletTransport", .hummingbird, .lifecycle, .crypto, .cryptoExtras, .x509, .asn1, .nioCore, .nioHTTP1,
                .nioPosix, .nioSSL, .nioWebSocket, .logging, .httpTypes,
            ],
            swiftSettings: settings
        ),
        .target(
            name: "MartletTesting",
            dependencies: [
                "MartletPipeline", "MartletStore", "MartletCore", "MartletFilter", .wire, .asyncHTTPClient, .crypto,
                .nioCore, .nioHTTP1,
            ],
            swiftSettings: settings + testSettings
        ),
        .executableTarget(name: "embed-texts", path: "Plugins/embed-texts"),
        .plugin(name: "EmbedTexts", capability: .buildTool(), dependencies: ["embed-texts"]),
        .executableTarget(
            name: "martlet",
            dependencies: [
                "MartletCore", "MartletFilter", "MartletPipeline", "MartletStore", "MartletSQLite", "MartletPostgres",
                "MartletProviders",
                "MartletHTTP",
                "MartletConsole", "MartletSNS", "MartletTransport", "MartletWebhooks", "MartletSimulator",
                .wire, .phone, .sdk, .argumentParser, .configuration, .hummingbird, .asyncHTTPClient, .lifecycle,
                .unixSignals, .logging, .crypto, .nioCore, .nioHTTP1, .nioPosix, .nioSSL, .metrics, .coreMetrics,
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "martlet-bench",
            dependencies: [
                "MartletCore", "MartletFilter", "MartletProviders", "MartletTesting", "MartletTransport", .wire,
                .asyncHTTPClient, .crypto, .grdb, .logging, .nioCore, .nioFoundationCompat, .nioHTTP1, .nioPosix,
                .nioSSL,
            ],
            path: "Benchmarks/martlet-bench",
            swiftSettings: settings + testSettings
        ),
        .executableTarget(
            name: "martlet-attack",
            dependencies: ["CZlib", "MartletTesting", .wire, .crypto],
            path: "Attacks/martlet-attack",
            swiftSettings: settings + testSettings
        ),
    ] + tests + fuzzing,
    swiftLanguageModes: [.v6]
)

/// What `scripts/fuzz` builds: linked to libFuzzer there, and elsewhere only compiled, so that it does not fall behind.
var fuzzing: [Target] {
    let dependencies: [Target.Dependency] = [
        "CLibFuzzer", "MartletCore", "MartletFilter", "MartletHTTP", "MartletSNS", "MartletProviders",
        "MartletSimulator",
        "MartletStore", "MartletSQLite", "MartletTransport", .wire, .crypto, .hummingbird, .httpTypes, .logging,
        .nioCore,
        .nioEmbedded, .nioPosix, .nioTLS,
    ]
    let (name, path) = ("martlet-fuzz", "Fuzz/martlet-fuzz")
    return [
        .systemLibrary(name: "CLibFuzzer", path: "Fuzz/CLibFuzzer"),
        isFuzzed
            ? .executableTarget(
                name: name,
                dependencies: dependencies,
                path: path,
                swiftSettings: settings,
                linkerSettings: [.unsafeFlags([sanitizers])]
            )
            : .target(
                name: name,
                dependencies: dependencies,
                path: path,
                exclude: ["Main.swift"],
                swiftSettings: settings + testSettings
            ),
    ]
}

/// The test targets, one for each part, so that one can be built and run without the others:
/// `MARTLET_TESTS=MartletTransportTests swift test`.
var tests: [Target] {
    let all: [(String, [Target.Dependency])] = [
        ("MartletCoreTests", ["MartletCore", "MartletTesting", .wire, .crypto]),
        ("MartletFilterTests", ["MartletFilter"]),
        ("MartletSQLiteTests", ["MartletEventQuery", "MartletStore", "MartletSQLite", "MartletTesting", .grdb]),
        (
            "MartletPostgresTests",
            [
                "MartletEventQuery", "MartletStore", "MartletSQLite", "MartletPostgres", "MartletTesting", .grdb,
            ]
        ),
        (
            "MartletTransportTests",
            ["MartletTransport", "MartletTesting", "CNghttp2", .nioCore, .nioPosix, .nioSSL, .logging]
        ),
        (
            "MartletProvidersTests",
            [
                "MartletProviders", "MartletCore", "MartletTransport", "MartletSimulator", "MartletTesting", .wire,
                .crypto, .cryptoExtras,
                .x509, .asn1, .nioCore, .nioHTTP1, .nioPosix, .nioSSL, .logging, .metrics, .coreMetrics,
            ]
        ),
        (
            "MartletSimulatorTests",
            [
                "MartletSimulator", "MartletTesting", "MartletTransport", .phone, .crypto, .cryptoExtras, .nioCore,
                .nioEmbedded, .nioHTTP1,
                .nioPosix, .nioSSL,
            ]
        ),
        (
            "MartletHTTPTests",
            [
                "MartletPipeline", "MartletHTTP", "MartletStore", "MartletSQLite", "MartletProviders", "MartletTesting",
                .wire, .hummingbird,
                .hummingbirdTesting, .crypto, .cryptoExtras, .httpTypes, .jwt, .logging, .nioCore, .nioPosix,
            ]
        ),
        (
            "MartletEventTests",
            [
                "MartletPipeline", "CZlib", "MartletHTTP", "MartletCore", "MartletEventQuery", "MartletStore",
                "MartletSQLite",
                "MartletProviders", "MartletTesting", .wire,
                .hummingbird, .hummingbirdTesting, .crypto, .httpTypes, .jwt, .logging, .nioCore, .nioPosix,
            ]
        ),
        (
            "MartletAccessTests",
            [
                "MartletHTTP", "MartletWebhooks", .wire, .hummingbird, .hummingbirdTLS, .jwt, .crypto, .cryptoExtras,
                .metrics,
                .coreMetrics,
                .x509, .asn1, .logging, .nioCore, .nioSSL,
            ]
        ),
        (
            "MartletSNSTests",
            [
                "MartletPipeline", "MartletSNS", "MartletWebhooks", "MartletHTTP", "MartletCore", "MartletStore",
                "MartletSQLite",
                "MartletProviders",
                "MartletTesting", .wire,
                .hummingbird,
                .hummingbirdTesting, .asyncHTTPClient, .crypto, .cryptoExtras, .httpTypes, .logging, .nioCore,
                .nioHTTP1, .nioPosix,
            ]
        ),
        (
            "MartletPipelineTests",
            [
                "MartletPipeline", "MartletCore", "MartletStore", "MartletSQLite", "MartletTesting", .wire, .crypto,
                .grdb, .logging,
            ]
        ),
        (
            "MartletModelTests",
            [
                "MartletStore", "MartletPipeline", "MartletCore", "MartletPostgres", "MartletSQLite", "MartletTesting",
                .wire,
            ]
        ),
        (
            "MartletCrashTests",
            [
                "MartletStore", "MartletCore", "MartletPostgres", "MartletSQLite", "MartletSimulator", "MartletTesting",
                .wire,
            ]
        ),
        (
            "MartletFaultTests",
            ["MartletCore", "MartletStore", "MartletSQLite", "MartletPostgres", "MartletTesting", .wire, .crypto]
        ),
        (
            "MartletLoopTests",
            [
                "MartletCore", "MartletTesting", .phone, .sdk, .wire, .crypto, .hummingbird, .asyncHTTPClient,
                .httpTypes, .logging, .nioCore, .nioHTTP1,
            ]
        ),
        ("MartletProgramTests", ["MartletCore", "MartletTesting", .asyncHTTPClient, .crypto, .jwt]),
        (
            "MartletConsoleTests",
            [
                "MartletStore", "MartletPipeline", "MartletConsole", "MartletCore", "MartletHTTP", "MartletProviders",
                "MartletSQLite", "MartletTesting",
                .wire, .hummingbird, .hummingbirdTesting, .crypto, .httpTypes, .logging, .nioCore, .nioEmbedded,
                .nioPosix,
            ]
        ),
        ("MartletBrowserTests", ["MartletCore", "MartletTesting", .wire, .crypto]),
    ]
    let fixtures = [
        "MartletFilterTests": ["Fixtures"], "MartletHTTPTests": ["javascript"],
        "MartletProgramTests": ["python"], "MartletSNSTests": ["Fixtures", "python"],
        "MartletProvidersTests": ["python"], "MartletSimulatorTests": ["python"],
    ]
    let chosen = Context.environment["MARTLET_TESTS"]?.split(separator: ",").map(String.init)
    return all.filter { chosen?.contains($0.0) ?? true }.map {
        .testTarget(
            name: $0.0,
            dependencies: $0.1,
            exclude: fixtures[$0.0] ?? [],
            swiftSettings: settings + testSettings
        )
    }
}

extension Target.Dependency {
    static var wire: Self { .product(name: "MartletWire", package: "sdk") }
    static var sdk: Self { .product(name: "PushNotificationSDK", package: "sdk") }
    static var phone: Self { .product(name: "MartletPhone", package: "sdk") }
    static var argumentParser: Self { .product(name: "ArgumentParser", package: "swift-argument-parser") }
    static var asn1: Self { .product(name: "SwiftASN1", package: "swift-asn1") }
    static var mustache: Self { .product(name: "Mustache", package: "swift-mustache") }
    static var asyncHTTPClient: Self { .product(name: "AsyncHTTPClient", package: "async-http-client") }
    static var configuration: Self { .product(name: "Configuration", package: "swift-configuration") }
    static var crypto: Self { .product(name: "Crypto", package: "swift-crypto") }
    static var cryptoExtras: Self { .product(name: "CryptoExtras", package: "swift-crypto") }
    static var grdb: Self { .product(name: "GRDB", package: "GRDB.swift") }
    static var httpTypes: Self { .product(name: "HTTPTypes", package: "swift-http-types") }
    static var hummingbird: Self { .product(name: "Hummingbird", package: "hummingbird") }
    static var hummingbirdTesting: Self { .product(name: "HummingbirdTesting", package: "hummingbird") }
    static var hummingbirdTLS: Self { .product(name: "HummingbirdTLS", package: "hummingbird") }
    static var jwt: Self { .product(name: "JWTKit", package: "jwt-kit") }
    static var lifecycle: Self { .product(name: "ServiceLifecycle", package: "swift-service-lifecycle") }
    static var logging: Self { .product(name: "Logging", package: "swift-log") }
    static var metrics: Self { .product(name: "Metrics", package: "swift-metrics") }
    static var coreMetrics: Self { .product(name: "CoreMetrics", package: "swift-metrics") }
    static var nioEmbedded: Self { .product(name: "NIOEmbedded", package: "swift-nio") }
    static var nioFoundationCompat: Self { .product(name: "NIOFoundationCompat", package: "swift-nio") }
    static var nioCore: Self { .product(name: "NIOCore", package: "swift-nio") }
    static var nioHTTP1: Self { .product(name: "NIOHTTP1", package: "swift-nio") }
    static var nioHTTPTypes: Self { .product(name: "NIOHTTPTypes", package: "swift-nio-extras") }
    static var nioHTTPTypesHTTP1: Self { .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras") }
    static var nioPosix: Self { .product(name: "NIOPosix", package: "swift-nio") }
    static var nioTLS: Self { .product(name: "NIOTLS", package: "swift-nio") }
    static var nioSSL: Self { .product(name: "NIOSSL", package: "swift-nio-ssl") }
    static var nioWebSocket: Self { .product(name: "NIOWebSocket", package: "swift-nio") }
    static var sqlite: Self { .product(name: "GRDBSQLite", package: "GRDB.swift") }
    static var unixSignals: Self { .product(name: "UnixSignals", package: "swift-service-lifecycle") }
    static var x509: Self { .product(name: "X509", package: "swift-certificates") }
}
