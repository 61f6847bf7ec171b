import MartletTesting
import MartletWire
import Testing

/// How somebody goes through the console.
enum Way: String, CaseIterable, CustomTestStringConvertible, Sendable {
    case mouse, keyboard
    /// By mouse, and the browser runs no script.
    case withoutScripts

    var testDescription: String { rawValue }
}

/// An answer that a step is about, or that none came, and of which the browser complains.
struct Refusal: Sendable {
    /// A part of its address.
    private let path: String
    /// What the browser says of it.
    private let words: String

    init(path: String, status: Int) { (self.path, words) = (path, "status of \(status)") }

    /// No answer, from a server that is gone.
    init(silentPath path: String) { (self.path, words) = (path, "net::ERR_") }

    /// Whether the browser's words are about it.
    func isTold(by said: String) -> Bool {
        said.contains(path) && said.contains("Failed to load resource") && said.contains(words)
    }
}

/// Somebody who works with the console in one of the ways: each step is the same, and differs in how the hand does it.
struct Clerk: Sendable {
    let way: Way
    let office: Office
    let browser: WebDriver

    /// Opens a server's console for the first time.
    init(_ way: Way) async throws {
        self.way = way
        office = try await Office()
        var options = WebDriver.Options()
        options.hasScripts = way != .withoutScripts
        browser = try await WebDriver(options)
        try await office.welcome(browser)
    }

    /// Follows the link that says this.
    ///
    /// - Parameter part: the XPath of the part of the page that it is in.
    func follow(_ words: String, in part: String = "//main") async throws {
        try await act(on: "\(part)//a[normalize-space()=\"\(words)\"]", .enter)
    }

    /// Goes to a part of the console.
    func go(to name: String) async throws {
        // The link of problems has their number behind its name.
        try await act(on: "//header//a[starts-with(normalize-space(), \"\(name)\")]", .enter)
        try await sees(name, in: "h1, [aria-current=page]")
    }

    /// Presses the button, or opens what is folded, that says this.
    func press(_ words: String, in part: String = "//main") async throws {
        try await act(on: "\(part)//*[self::button or self::summary][normalize-space()=\"\(words)\"]", .space)
    }

    private func act(on path: String, _ key: WebDriver.Key) async throws {
        guard way == .keyboard else { return try await browser.click(path) }
        try await browser.tab(to: path)
        try await browser.press([key])
    }

    /// Writes into a field, in the place of what is there.
    func fill(_ field: String, _ text: String, in part: String = "//main") async throws {
        let path = "\(part)//*[self::input or self::textarea][@name='\(field)' and not(@type='hidden')]"
        guard way == .keyboard else { return try await browser.write(text, into: path) }
        try await browser.tab(to: path)
        try await browser.markAll()
        try await browser.type(text.replacing("\n", with: WebDriver.Key.enter.rawValue))
    }

    /// Chooses of a list.
    func choose(_ option: String, _ field: String, in part: String = "//main") async throws {
        let path = "\(part)//select[@name='\(field)']"
        guard way == .keyboard else {
            return try await browser.click("\(path)/option[normalize-space()=\"\(option)\"]")
        }
        try await browser.tab(to: path)
        try await browser.type(option)
    }

    /// Ticks the box whose label has these words.
    func tick(_ words: String, _ field: String) async throws {
        try await act(on: Self.box(words, field), .space)
    }

    /// Picks one of several, by the words of its label.
    func pick(_ words: String, _ field: String) async throws {
        let path = Self.box(words, field)
        guard way == .keyboard else { return try await browser.click(path) }
        try await browser.tab(to: "input[name='\(field)']")
        for _ in 0..<10 {
            if try await browser.isFocused(path) { return }
            try await browser.press([.down])
        }
        throw ProgramProcess.Failure(description: "no way to \(words) by the arrow keys")
    }

    private static func box(_ words: String, _ field: String) -> String {
        "//main//label[contains(., \"\(words)\")]//input[@name='\(field)']"
    }

    /// Chooses a file. The system's own dialog, which is no page, is left out.
    func attach(_ path: String, _ field: String = "file") async throws {
        let selector = "input[name='\(field)']"
        if way == .keyboard { try await browser.tab(to: selector) }
        try await browser.choose(file: path, in: selector)
    }

    /// Waits until the page says this.
    func sees(_ words: String, in selector: String = "main") async throws {
        try await browser.until(words, in: selector)
    }

    /// Waits until the place is there that has this in its address.
    func arrives(at part: String) async throws {
        try await Eventually.is("the address has \(part)", within: 20) { try await browser.url.contains(part) }
    }

    /// Ends the way. On all of it the browser complained of nothing but the answers that are named, and asked the server alone.
    func finish(after refusals: [Refusal] = []) async throws {
        let complaints = try await browser.complaints().filter { said in !refusals.contains { $0.isTold(by: said) } }
        #expect(complaints == [], "\(way)")
        #expect(try await browser.origins().subtracting([office.server.address]) == [], "\(way)")
        try await browser.close()
    }

    /// Signs out, and in.
    func signIn(_ name: String, _ password: String) async throws {
        try await press("Sign out", in: "//header")
        try await sees("You are signed out.")
        try await fill("name", name)
        try await fill("password", password)
        try await press("Sign in")
        try await sees("Overview", in: "h1")
    }
}
