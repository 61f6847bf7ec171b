public import Foundation
public import MartletWire

/// Debian's Chromium, headless, driven as a person would: W3C WebDriver over `chromedriver`.
public actor WebDriver {
    /// How the browser is set.
    public struct Options: Sendable {
        /// The window, in CSS pixels.
        public var width = 1440, height = 900
        /// `en` or `ja`.
        public var language = "en"
        /// Whether the person likes dark pages.
        public var isDark = false
        /// Whether pages' scripts run.
        public var hasScripts = true

        /// The defaults.
        public init() {}
    }

    /// A key that has no character (WebDriver, section 17.4.2).
    public enum Key: String, Sendable {
        case tab = "\u{E004}"
        case enter = "\u{E007}"
        case space = "\u{E00D}"
        case escape = "\u{E00C}"
        case down = "\u{E015}"
        case control = "\u{E009}"
    }

    /// Whether the machine has browser and driver.
    public static var isInstalled: Bool {
        BrowserProcess.Kind.chromium.isInstalled
            && ["/usr/bin", "/usr/local/bin"].contains {
                FileManager.default.isExecutableFile(atPath: "\($0)/chromedriver")
            }
    }

    private let process: ProgramProcess
    private let address: String
    private var session = ""
    /// How often the person clicked or pressed a key that does something.
    public private(set) var clicks = 0

    /// Starts a browser.
    public init(_ options: Options = Options()) async throws {
        (process, address) = try await Self.driver()
        let made = try await call("POST", "/session", ["capabilities": ["alwaysMatch": Self.capabilities(options)]])
        session = "/session/" + (made["sessionId"]?.stringValue ?? "")
        try await call("POST", session + "/timeouts", ["implicit": 5_000, "pageLoad": 30_000, "script": 30_000])
    }

    /// How often a driver is started that ends at once.
    private static let starts = 5

    /// Starts the driver. It takes a free port of IPv6's, and ends where that of IPv4's is taken: another start takes another.
    private static func driver() async throws -> (ProgramProcess, address: String) {
        var failure: (any Error)?
        for _ in 0..<starts {
            let process = try ProgramProcess(
                ["chromedriver", "--port=0"],
                executable: "/usr/bin/env",
                leadsGroup: true
            )
            do {
                let line = try await process.line(containing: "started successfully on port ")
                return (process, "http://127.0.0.1:\(line.split(separator: " ").last?.filter(\.isNumber) ?? "")")
            } catch let refused where "\(refused)".contains("port not available") {
                failure = refused
            }
        }
        throw failure ?? ProgramProcess.Failure(description: "no driver")
    }

    private static func capabilities(_ options: Options) -> JSONValue {
        var arguments = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--hide-scrollbars", "--password-store=basic", "--lang=\(options.language)",
            "--window-size=\(options.width),\(options.height)",
        ]
        if options.isDark { arguments.append("--force-dark-mode") }
        var preferences: [String: JSONValue] = ["intl.accept_languages": .string(options.language)]
        if !options.hasScripts { preferences["profile.managed_default_content_settings.javascript"] = 2 }
        return [
            "browserName": "chrome",
            "goog:loggingPrefs": ["browser": "ALL", "performance": "ALL"],
            "goog:chromeOptions": [
                "binary": "/usr/bin/chromium", "args": .array(arguments.map(JSONValue.string)),
                "prefs": .object(preferences),
            ],
        ]
    }

    // MARK: Pages

    /// Opens an address.
    public func open(_ url: String) async throws { try await call("POST", session + "/url", ["url": .string(url)]) }

    /// The address of the page.
    public var url: String {
        get async throws { try await call("GET", session + "/url").stringValue ?? "" }
    }

    /// The page's text as a person reads it.
    public func text(of selector: String = "main") async throws -> String {
        let element = try await find(selector)
        return try await call("GET", "\(session)/element/\(element)/text").stringValue ?? ""
    }

    /// How many elements there are.
    public func count(_ selector: String) async throws -> Int {
        try await execute("return document.querySelectorAll(arguments[0]).length", [.string(selector)])
            .integerValue.map { Int($0) } ?? 0
    }

    /// Returns when the page's text has the words.
    public func until(_ words: String, in selector: String = "main") async throws {
        var text = ""
        do {
            try await Eventually.is("the page says '\(words)'", within: 20) {
                text = (try? await self.text(of: selector)) ?? ""
                return text.contains(words)
            }
        } catch {
            throw ProgramProcess.Failure(description: "\(error)\nit says: \(text.prefix(2_000))")
        }
    }

    /// Runs a script in the page, also where the page's own do not run.
    @discardableResult
    public func execute(_ script: String, _ arguments: [JSONValue] = []) async throws -> JSONValue {
        try await call("POST", session + "/execute/sync", ["script": .string(script), "args": .array(arguments)])
    }

    /// Runs one that ends when it calls its last argument.
    public func executeAsync(_ script: String) async throws -> JSONValue {
        try await call("POST", session + "/execute/async", ["script": .string(script), "args": []])
    }

    /// The whole page as a PNG.
    public func screenshot() async throws -> Data {
        let height = try await execute("return document.documentElement.scrollHeight").integerValue ?? 900
        let width = try await execute("return window.innerWidth").integerValue ?? 1440
        try await resize(width: Int(width), height: Int(min(max(height, 400), 6_000)))
        let text = try await call("GET", session + "/screenshot").stringValue ?? ""
        return Data(base64Encoded: text) ?? Data()
    }

    /// Makes the page's own area so large.
    public func resize(width: Int, height: Int) async throws {
        let metrics: JSONValue = [
            "width": .integer(Int64(width)), "height": .integer(Int64(height)), "deviceScaleFactor": 1, "mobile": false,
        ]
        try await devTools("Emulation.setDeviceMetricsOverride", metrics)
    }

    /// Shows pages dark, or light.
    public func prefer(dark: Bool) async throws {
        let scheme: JSONValue = ["name": "prefers-color-scheme", "value": dark ? "dark" : "light"]
        try await devTools("Emulation.setEmulatedMedia", ["features": [scheme]])
    }

    /// Has each page that is opened from now on get no answer to what its script asks for first, as where the server is gone
    /// for a moment.
    ///
    /// - Returns: what ``answer(_:)`` takes.
    public func leaveUnanswered() async throws -> JSONValue {
        let source = """
            { const real = window.fetch; let count = 0;
              window.fetch = (...all) => count++ ? real(...all) : Promise.reject(new TypeError('Failed to fetch')); }
            """
        return try await devTools("Page.addScriptToEvaluateOnNewDocument", ["source": .string(source)])
    }

    /// Has pages that are opened from now on get their answers again.
    public func answer(_ script: JSONValue) async throws {
        try await devTools("Page.removeScriptToEvaluateOnNewDocument", script)
    }

    @discardableResult
    private func devTools(_ command: String, _ parameters: JSONValue) async throws -> JSONValue {
        try await call("POST", session + "/goog/cdp/execute", ["cmd": .string(command), "params": parameters])
    }

    // MARK: Tabs

    /// The tab that is looked at.
    public var tab: String {
        get async throws { try await call("GET", session + "/window").stringValue ?? "" }
    }

    /// All tabs.
    public var tabs: [String] {
        get async throws {
            guard case .array(let all) = try await call("GET", session + "/window/handles") else { return [] }
            return all.compactMap(\.stringValue)
        }
    }

    /// Looks at another tab.
    public func go(toTab tab: String) async throws {
        try await call("POST", session + "/window", ["handle": .string(tab)])
    }

    /// Closes the tab that is looked at, and looks at another one.
    public func closeTab(backTo tab: String) async throws {
        try await call("DELETE", session + "/window")
        try await go(toTab: tab)
    }

    // MARK: Mouse and keyboard

    /// Clicks an element. Here as in what follows a selector that begins with a slash is XPath.
    public func click(_ selector: String) async throws {
        try await click(selector, by: Self.strategy(of: selector))
    }

    /// Clicks the link or the button that says this.
    public func click(saying words: String, in part: String = "body") async throws {
        let path = """
            //\(part)//*[self::a or self::button or self::summary or self::label][normalize-space()='\(words)']
            """
        try await click(path, by: "xpath")
    }

    /// Clicks what is found, once its page is there with its styles, which move things; once more where the page's script
    /// put another in its place meanwhile, as a person does.
    private func click(_ text: String, by strategy: String) async throws {
        clicks += 1
        var isAgain = false
        while true {
            do {
                let element = try await find(text, by: strategy)
                try await Eventually.is("the page is there", within: 20) {
                    try await execute("return document.readyState") == "complete"
                }
                try await call("POST", "\(session)/element/\(element)/click", [:])
                return
            } catch let failure where !isAgain && "\(failure)".contains("stale element reference") {
                isAgain = true
            } catch {
                throw ProgramProcess.Failure(description: "no click on \(text): \(error)")
            }
        }
    }

    /// Writes into a field what it has not, in the place of what it has.
    public func write(_ text: String, into selector: String) async throws {
        let element = try await find(selector)
        try await call("POST", "\(session)/element/\(element)/clear", [:])
        try await call("POST", "\(session)/element/\(element)/value", ["text": .string(text)])
    }

    /// Chooses an option of a list by its words.
    public func select(_ words: String, in selector: String) async throws {
        try await call("POST", "\(session)/element/\(try await find(selector))/value", ["text": .string(words)])
    }

    /// Sets a field for a date and a time, whose own parts and calendar are no page's and differ from browser to browser.
    public func set(_ moment: String, in selector: String) async throws {
        let script = """
            const [field, moment] = arguments;
            field.value = moment;
            for (const name of ['input', 'change']) field.dispatchEvent(new Event(name, { bubbles: true }));
            """
        let element: JSONValue = [Self.elementName: .string(try await find(selector))]
        try await execute(script, [element, .string(moment)])
    }

    /// What is in a field.
    public func value(of selector: String) async throws -> String {
        let element = try await find(selector)
        return try await call("GET", "\(session)/element/\(element)/property/value").stringValue ?? ""
    }

    /// Chooses a file in a field.
    public func choose(file path: String, in selector: String) async throws {
        try await call("POST", "\(session)/element/\(try await find(selector))/value", ["text": .string(path)])
    }

    /// Presses keys where the page's focus is.
    public func press(_ keys: [Key]) async throws {
        for key in keys { try await type(key.rawValue) }
        if keys.contains(where: { $0 != .tab }) { clicks += 1 }
    }

    /// Types where the page's focus is.
    public func type(_ text: String) async throws {
        let strokes = text.flatMap { letter -> [JSONValue] in
            [
                ["type": "keyDown", "value": .string(String(letter))],
                ["type": "keyUp", "value": .string(String(letter))],
            ]
        }
        try await strike(strokes)
    }

    private func strike(_ strokes: [JSONValue]) async throws {
        let keyboard: JSONValue = ["type": "key", "id": "keyboard", "actions": .array(strokes)]
        try await call("POST", session + "/actions", ["actions": [keyboard]])
    }

    /// Marks all of the field where the page's focus is, so that what is typed takes its place.
    public func markAll() async throws {
        let strokes: [(kind: String, key: String)] = [
            ("keyDown", Key.control.rawValue), ("keyDown", "a"), ("keyUp", "a"), ("keyUp", Key.control.rawValue),
        ]
        try await strike(strokes.map { ["type": .string($0.kind), "value": .string($0.key)] })
    }

    /// Goes on with the Tab key until the focus is on what the selector names.
    public func tab(to selector: String) async throws {
        for _ in 0..<200 {
            if try await isFocused(selector) { return }
            try await press([.tab])
        }
        throw ProgramProcess.Failure(description: "no way to \(selector) by the Tab key")
    }

    /// Whether the page's focus is on what the selector names.
    public func isFocused(_ selector: String) async throws -> Bool {
        let script = """
            const [at, selector] = [document.activeElement, arguments[0]];
            if (at === document.body) return false;
            return selector.startsWith('/') ? document.evaluate(selector, document, null, 9).singleNodeValue === at
              : at.matches(selector);
            """
        return try await execute(script, [.string(selector)]) == true
    }

    /// Begins to count anew.
    public func resetClicks() { clicks = 0 }

    // MARK: What the browser says

    /// Errors of the page's console and refusals of its policy since they were asked for last.
    public func complaints() async throws -> [String] {
        guard case .array(let entries) = try await call("POST", session + "/se/log", ["type": "browser"]) else {
            return []
        }
        return entries.compactMap(\.objectValue).filter { ["SEVERE", "WARNING"].contains($0["level"]?.stringValue) }
            .compactMap { $0["message"]?.stringValue }
    }

    /// The origins that pages asked since they were asked for last.
    public func origins() async throws -> Set<String> {
        guard case .array(let entries) = try await call("POST", session + "/se/log", ["type": "performance"])
        else { return [] }
        let urls = entries.compactMap { entry -> String? in
            let text = entry.objectValue?["message"]?.stringValue ?? ""
            let message = (try? JSONValue(json: Data(text.utf8)))?.objectValue?["message"]?.objectValue
            guard message?["method"]?.stringValue == "Network.requestWillBeSent" else { return nil }
            return message?["params"]?.objectValue?["request"]?.objectValue?["url"]?.stringValue
        }
        return Set(
            urls.compactMap { url in
                guard let parts = URLComponents(string: url), let host = parts.host else { return nil }
                return "\(parts.scheme ?? "")://\(host)" + (parts.port.map { ":\($0)" } ?? "")
            }
        )
    }

    /// Ends browser and driver.
    public func close() async throws {
        try await call("DELETE", session)
        // The browser's children may hold the driver's pipes for longer than anybody waits.
        process.send(signal: SIGKILL)
    }

    // MARK: The protocol

    private static func strategy(of selector: String) -> String {
        selector.hasPrefix("/") ? "xpath" : "css selector"
    }

    private func find(_ selector: String, by strategy: String? = nil) async throws -> String {
        let strategy = strategy ?? Self.strategy(of: selector)
        let found = try await call(
            "POST",
            session + "/element",
            ["using": .string(strategy), "value": .string(selector)]
        )
        guard let id = found.objectValue?[Self.elementName]?.stringValue else {
            throw ProgramProcess.Failure(description: "no \(selector)")
        }
        return id
    }

    /// The name of the one member that an element is given with (WebDriver, section 11).
    private static let elementName = "element-6066-11e4-a52e-4f735466cecf"

    @discardableResult
    private func call(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> JSONValue {
        let text = try body.map { String(decoding: try $0.json(), as: UTF8.self) }
        let answer = try await LocalCall.send(method, address + path, text)
        let value = (try? JSONValue(json: answer.body))?.objectValue?["value"] ?? .null
        guard answer.status == 200 else {
            let message = value.objectValue?["message"]?.stringValue ?? ""
            throw ProgramProcess.Failure(description: "\(method) \(path): \(message.prefix(600))")
        }
        return value
    }
}

extension JSONValue {
    fileprivate subscript(_ name: String) -> JSONValue? { objectValue?[name] }
}
