import MartletTesting
import MartletWire
import Testing

/// The main paths of the pages about topics, categories and people.
extension Clerk {
    func keepsTopic() async throws {
        try await go(to: "Topics")
        try await press("Create a topic")
        try await fill("name", "weather")
        try await choose("shop", "app", in: "//form[@method='post']")
        try await press("Create topic")
        try await sees("The topic is created.")
        try await go(to: "Topics")
        try await follow("weather")
        try await sees("Nobody is subscribed.")
        try await press("Add a subscriber")
        try await fill("who", "ann")
        try await press("Add")
        try await sees("The subscriber is added.")
        try await filters()
        try await press("Remove ann")
        try await sees("The subscription ends at once")
        #expect(try await office.list("/topics/weather/subscriptions?app=shop").count == 1)
        try await press("End the subscription")
        try await sees("The subscription has ended.")
        #expect(try await office.list("/topics/weather/subscriptions?app=shop").isEmpty)
        try await press("Delete this topic")
        try await fill("typed", "wether")
        try await press("Delete the topic")
        try await sees("That is not the topic's name.")
        try await fill("typed", "weather")
        try await press("Delete the topic")
        try await sees("The topic is deleted.")
        #expect(try await office.list("/topics?app=shop").isEmpty)
    }

    /// Changes the filter of the one subscriber, and tries messages on it.
    private func filters() async throws {
        try await follow("every message")
        try await sees("What gets to ann", in: "h1")
        try await fill("filter", #"{"city": ["Kyoto"]}"#)
        try await fill("attributes", #"{"city": "Kyoto"}"#)
        try await press("Try")
        try await sees("This message gets through.")
        try await press("Save the filter")
        try await sees("The filter is saved.")
        let made = try await office.list("/topics/weather/subscriptions?app=shop").first?.objectValue
        #expect(made?["filter_policy"] == ["city": ["Kyoto"]])
        try await follow("weather")
        try await press("Try a message")
        try await fill("attributes", #"{"city": "Osaka"}"#)
        try await press("Try")
        try await sees("does not get it", in: "table")
    }

    func keepsCategory() async throws {
        try await go(to: "Categories")
        try await press("Create a category")
        try await fill("key", "news")
        try await fill("locale", "en")
        try await fill("name", "News")
        try await press("Create category")
        try await sees("The category is created.")
        try await follow("News")
        try await sees("News", in: "h1")
        try await fill("name", "Local news")
        try await press("Save")
        try await sees("The category is saved.")
        try await sees("Local news", in: "h1")
        let made = try await office.server.call("GET", "/categories/news?app=shop")?.objectValue
        #expect(made?["names"]?.objectValue?["en"] == "Local news")
        try await press("Archive this category")
        try await sees("The category is archived.")
        let archived = try await office.server.call("GET", "/categories/news?app=shop")?.objectValue
        #expect(archived?["is_archived"] == true)
    }

    func looksAtPeople() async throws {
        _ = try await office.announce()
        try await finds("cleo")
        try await follow("Why?")
        try await sees("switched pushes of category")
        try await follow("Preferences", in: "//main//nav")
        try await sees("their own choice")
        try await finds("ann")
        try await follow("Devices")
        let before = try await office.stage.simulator.receivedCount()
        try await press("Send a test")
        try await sees("Apple accepted the push.")
        #expect(try await office.stage.simulator.receivedCount() == before + 1)
        try await follow("Inbox")
        try await sees("Half the price")
        try await follow("Why?")
        try await sees("Was it for this person?")
        try await erases()
    }

    private func finds(_ user: String) async throws {
        try await go(to: "People")
        try await fill("q", user)
        if way == .withoutScripts { try await press("Search") }
        try await arrives(at: "q=\(user)")
        try await follow(user, in: "//table")
        try await sees(user, in: "h1")
        try await sees("Everything that is known")
    }

    private func erases() async throws {
        try await follow("Erase")
        try await fill("user", "bob")
        try await press("Erase for good")
        try await sees("That is not the person's id.")
        #expect(try await office.list("/users/ann/endpoints?app=shop").count == 1)
        try await fill("user", "ann")
        try await press("Erase for good")
        try await sees("The person is erased.")
        #expect(try await office.list("/users/ann/endpoints?app=shop").isEmpty)
    }
}
