"""A Swift compiler for iOS 13 and its relatives on Linux, for `scripts/check-ios` and `scripts/check-snippets`.

The modules of a Linux toolchain carry Apple's availability of the standard library, concurrency and Foundation. Copies
of them that name an iOS target let the compiler check the SDK's sources, with the stand-ins under sdk/AppleStubs, as it
would for a device. Nothing is linked or run.
"""

import json
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / ".build/check-ios"
MINIMUM = "13.0"


class System(NamedTuple):
    """A system of Apple's that Package.swift names."""

    name: str
    # The compiler's target, and the name of the same target in modules: a prefix, a version, a suffix.
    target: str
    module: tuple
    # Where the compiler looks for the standard library, and what the files there are called.
    folder: str
    file: str
    # Stand-ins of frameworks that the system has not.
    absent: frozenset = frozenset()


IOS = System("iOS", f"arm64-apple-ios{MINIMUM}", ("arm64-apple-ios", "13.", ""), "iphoneos", "arm64-apple-ios")
# Beside iOS. visionOS 1 has what iOS 17 has, which the compiler reads from Apple's SDK: here its version says so, and what
# came to visionOS alone after 1.0 is not refused.
OTHERS = [
    System(
        "Mac Catalyst", "arm64-apple-ios13.1-macabi", ("arm64-apple-ios", "13", "-macabi"), "maccatalyst",
        "arm64-apple-ios-macabi",
    ),
    System(
        "tvOS", "arm64-apple-tvos13.0", ("arm64-apple-tvos", "13.", ""), "appletvos", "arm64-apple-tvos",
        frozenset({"SafariServices"}),
    ),
    System("visionOS", "arm64-apple-xros17.0", ("arm64-apple-xros", "1.", ""), "xros", "arm64-apple-xros"),
]
FEATURES = ["ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault"]

# Apps in Swift 6 and 5, and as Xcode 26 makes them: what does not say otherwise is the main actor's.
ON_THE_MAIN_ACTOR = ["NonisolatedNonsendingByDefault", "InferIsolatedConformances", "MemberImportVisibility"]
MODES = {
    "Swift 6": (6, FEATURES, []),
    "Swift 5": (5, [], []),
    "Swift 5 as Xcode 26 has it": (5, ON_THE_MAIN_ACTOR, ["-default-isolation", "MainActor"]),
    "Swift 6 on the main actor": (6, ON_THE_MAIN_ACTOR, ["-default-isolation", "MainActor"]),
}

# In the order in which they import each other. Extension-safe ones must do without what iOS denies to extensions.
EXTENSION_SAFE = {
    "MartletWireBase", "MartletWire", "PushNotificationSDKBase", "PushNotificationSDKCore", "PushNotificationServiceExtension",
}
MODULES = [
    ("UserNotifications", "sdk/AppleStubs"),
    ("UIKit", "sdk/AppleStubs"),
    ("SafariServices", "sdk/AppleStubs"),
    ("Combine", "sdk/AppleStubs"),
    ("SwiftUI", "sdk/AppleStubs"),
    ("MartletWireBase", "sdk/Sources"),
    ("MartletWire", "sdk/Sources"),
    ("PushNotificationSDKBase", "sdk/Sources"),
    ("PushNotificationSDKCore", "sdk/Sources"),
    ("PushNotificationSDKApple", "sdk/Sources"),
    ("PushNotificationSDK", "sdk/Sources"),
    ("PushNotificationSDKUI", "sdk/Sources"),
    ("PushNotificationServiceExtension", "sdk/Sources"),
    ("PushNotificationSDKC", "sdk/Sources"),
]


def target_info():
    """What the compiler says of this machine and of itself."""
    return json.loads(subprocess.run(["swiftc", "-print-target-info"], capture_output=True, check=True).stdout)


def place(part, system):
    """The folder for a part of what is made for a system."""
    return WORK / (part if system is IOS else f"{part}-{system.folder}")


def retarget(system=IOS):
    """A resource folder for a system, made once for each toolchain, and this machine's architecture."""
    info = target_info()
    version, triple = info["compilerVersion"], info["target"]["unversionedTriple"]
    resources = Path(info["paths"]["runtimeResourcePath"])
    arch = triple.split("-")[0]
    made = place("resources", system)
    stamp = made / "version"
    if stamp.exists() and stamp.read_text() == version:
        return made, arch
    shutil.rmtree(made, ignore_errors=True)
    (made / system.folder).mkdir(parents=True)
    # The name stands in a block of fixed length: the version takes as many zeros as there is room.
    prefix, number, suffix = system.module
    room = len(triple) - len(prefix + suffix)
    number = number.ljust(room, "0") if "." in number else number.rjust(room, "0")
    named = prefix + number + suffix
    assert len(named) == len(triple), f"{named} has not the length of {triple}"
    for module in (resources / "linux").glob("*.swiftmodule"):
        if module.stem.startswith(("Testing", "XCTest", "_Test", "Cxx")):
            continue
        source = module / f"{triple}.swiftmodule"
        if not source.exists():
            continue
        target = made / system.folder / module.name
        target.mkdir()
        data = source.read_bytes().replace(triple.encode(), named.encode())
        (target / f"{system.file}.swiftmodule").write_bytes(data)
    for name in (
        "shims", "clang", "dispatch", "os", "Block", "CoreFoundation", "_FoundationCShims", "_foundation_unicode",
    ):
        if (resources / name).exists():
            (made / name).symlink_to(resources / name)
    # Two of glibc's headers do not parse for the mixed target; nothing here needs them.
    include = made / "glibc/include"
    include.mkdir(parents=True)
    for name in ("tgmath.h", "complex.h"):
        (include / name).write_text("")
    glibc = resources / "linux" / arch / "SwiftGlibc.h"
    (made / "glibc/module.modulemap").write_text(
        f'module SwiftGlibc [system] {{ header "{glibc}"\n textual header "/usr/include/assert.h"\n export * }}\n'
    )
    stamp.write_text(version)
    return made, arch


def compiler(resources, arch, module, flags, swift=6, features=FEATURES, package="martlet", system=IOS):
    """The compiler's command for a module; the sources are to be added."""
    linux = f"{arch}-unknown-linux-gnu"
    command = [
        "swiftc", "-frontend", "-swift-version", swift, "-target", system.target, "-clang-target", linux,
        "-resource-dir", resources, "-module-cache-path", WORK / "cache", "-disable-objc-interop", "-parse-as-library",
        "-module-name", module, "-package-name", package, "-I", place("modules", system),
        "-I", ROOT / "sdk/Sources/CPushNotificationSDK/include",
        "-Xcc", f"-fmodule-map-file={resources}/glibc/module.modulemap",
    ]
    for folder in (resources / "glibc/include", f"/usr/include/{arch}-linux-gnu", "/usr/include"):
        command += ["-Xcc", "-isystem", "-Xcc", folder]
    for feature in features:
        command += ["-enable-upcoming-feature", feature]
    return command + flags


def app_compiler(resources, arch, module, mode, flags):
    """The compiler's command for an app's code, which sees nothing of what is the package's own."""
    version, features, more = MODES[mode]
    return compiler(resources, arch, module, ["-typecheck", *more, *flags], version, features, "app")


def run(command):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True)


def errors(result):
    """The lines of a failed run that say why."""
    lines = [line for line in result.stderr.splitlines() if ": error:" in line]
    return lines or result.stderr.splitlines()[-20:] or [f"the compiler ended with status {result.returncode}"]


def sources(name, parent):
    return sorted((ROOT / parent / name).rglob("*.swift"))


def are_fresh():
    """Whether the modules are there and newer than what they are made of."""
    made = [WORK / "modules" / f"{name}.swiftmodule" for name, _ in MODULES]
    made.append(WORK / "resources/version")
    used = [Path(__file__)] + [file for module in MODULES for file in sources(*module)]
    used += [file.parent for file in used]
    return all(file.exists() for file in made) and (
        min(file.stat().st_mtime for file in made[:-1]) > max(file.stat().st_mtime for file in used)
    )


def make_modules(resources, arch, system=IOS):
    """Compiles the SDK and the stand-ins; gives the number of their files and what is wrong with them."""
    place("modules", system).mkdir(exist_ok=True)
    problems, checked = [], 0
    for name, parent in MODULES:
        if name in system.absent:
            continue
        files = sources(name, parent)
        if not files:
            problems.append(f"{parent}/{name} has no Swift sources")
            continue
        flags = ["-application-extension"] if name in EXTENSION_SAFE else []
        # Xcode's previews are for debugging only.
        flags += ["-D", "DEBUG"] if name == "PushNotificationSDKUI" else []
        output = place("modules", system) / f"{name}.swiftmodule"
        # One that does not compile any more must not be found by what comes after it.
        output.unlink(missing_ok=True)
        result = run(compiler(resources, arch, name, flags + ["-emit-module", "-o", output], system=system) + files)
        checked += len(files)
        if result.returncode:
            problems += errors(result)
            if parent != "sdk/Sources":
                break
    return checked, problems
