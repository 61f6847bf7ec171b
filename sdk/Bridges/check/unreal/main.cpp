// Runs the plugin's subsystem without the engine: with WITH_PUSH_SDK=1 on a phone of the tests, where the game thread is a
// thread that is not the main one, and with WITH_PUSH_SDK=0, where there is no SDK.
#include "PushNotificationSubsystem.h"

#include <codecvt>
#include <deque>
#include <locale>
#include <mutex>
#include <set>
#include <thread>

#include "Async/Async.h"
#include "checks.h"

namespace {

std::mutex mutex;
std::deque<std::function<void()>> tasks;
std::set<const UObject *> objects;
thread_local bool isGameThread = false;

using Conversion = std::wstring_convert<std::codecvt_utf8_utf16<char16_t>, char16_t>;

/// A game: every method is one that Blueprints would have.
class Game : public UObject {
public:
    void received(const FString &json) { note(); notifications.push_back(text(json)); }
    void opened(const FString &json) { note(); taps.push_back(text(json)); }
    void acted(const FString &action, const FString &json) { note(); actions.push_back(text(action) + text(json)); }
    void linked(const FString &url, const FString &json) { note(); links.push_back(text(url) + (json.IsEmpty() ? "" : "+")); }
    void changed(EPushPermission permission) { note(); changes.push_back(permission); }
    void failed(const FPushNotificationError &error) { note(); errors.push_back(error); }
    void needed(const FString &player) { note(); players.push_back(text(player)); }
    void ended(const FPushNotificationError &error) { note(); ends.push_back(error.Code); }
    void answered(bool yes, const FPushNotificationError &error) { note(); answers.push_back(yes); ends.push_back(error.Code); }
    void looked(EPushPermission permission, const FPushNotificationError &error) {
        note();
        looks.push_back(permission);
        ends.push_back(error.Code);
    }
    void read(const FString &json, const FPushNotificationError &error) {
        note();
        texts.push_back(text(json));
        ends.push_back(error.Code);
    }

    static std::string text(const FString &text) { return StandInNarrow(*text); }

    std::vector<std::string> notifications, taps, actions, links, players, texts;
    std::vector<EPushPermission> changes, looks;
    std::vector<FPushNotificationError> errors;
    std::vector<int32> ends;
    std::vector<bool> answers;
    bool alwaysOnGameThread = true;

private:
    void note() { alwaysOnGameThread = alwaysOnGameThread && isGameThread; }
};

template <typename Delegate, typename Method>
Delegate bound(Game &game, Method method) {
    Delegate delegate;
    delegate.BindDynamic(&game, method);
    return delegate;
}

FPushCompletion ending(Game &game) { return bound<FPushCompletion>(game, &Game::ended); }
FPushAnswer answering(Game &game) { return bound<FPushAnswer>(game, &Game::answered); }
FPushPermissionAnswer looking(Game &game) { return bound<FPushPermissionAnswer>(game, &Game::looked); }
FPushJsonAnswer reading(Game &game) { return bound<FPushJsonAnswer>(game, &Game::read); }
FPushTextAnswer readingText(Game &game) { return bound<FPushTextAnswer>(game, &Game::read); }

#if WITH_PUSH_SDK

const char *const gift = R"({"aps":{"alert":{"title":"ボーナス","body":"100 coins"}},"message_id":"m-1"})";
const TCHAR *const options =
    u"{\"links\": [{\"scheme\": \"mygame\"}], \"tracksBeforeConsent\": false, \"categories\": [{\"identifier\": "
    u"\"MISSION\", \"actions\": [{\"identifier\": \"CONFIRM\", \"title\": \"確認\"}]}]}";
const TCHAR *const address = u"https://api.example.test";

// The game thread runs what waits for it, and ends.
void runGameThread() {
    std::thread([] {
        isGameThread = true;
        for (;;) {
            std::function<void()> task;
            {
                const std::lock_guard<std::mutex> held(mutex);
                if (tasks.empty()) return;
                task = std::move(tasks.front());
                tasks.pop_front();
            }
            task();
        }
    }).join();
}

#define CHECK_SOON_THERE(fact) CHECK_SOON((runGameThread(), (fact)))

bool has(const std::string &text, const char *part) { return text.find(part) != std::string::npos; }

void bindAll(UPushNotificationSubsystem &push, Game &game) {
    push.OnNotificationReceived.AddDynamic(&game, &Game::received);
    push.OnNotificationAction.AddDynamic(&game, &Game::acted);
    push.OnDeepLink.AddDynamic(&game, &Game::linked);
    push.OnPermissionChanged.AddDynamic(&game, &Game::changed);
    push.OnUserTokenNeeded.AddDynamic(&game, &Game::needed);
    push.OnError.AddDynamic(&game, &Game::failed);
    push.SetOptions(options);
}

void tellsTheGameOnItsThread() {
    PushHooks_Start(PushHooksAllows);
    UPushNotificationSubsystem push;
    Game game;
    bindAll(push, game);
    push.Configure(address, u"validkey123", u"");
    CHECK(UPushNotificationSubsystem::IsAvailable());
    PushHooks_Deliver(gift);
    CHECK_SOON_THERE(game.notifications.size() == 1);
    CHECK(has(game.notifications[0], "ボーナス"));
    CHECK_SOON_THERE(PushHooks_Buttons("MISSION") == 1);
    PushHooks_Tap("CONFIRM", gift);
    CHECK_SOON_THERE(game.actions.size() == 1);
    CHECK(has(game.actions[0], "CONFIRM{"));
    CHECK(push.OpenLink(u"mygame://shop"));
    CHECK_SOON_THERE(game.links.size() == 1);
    CHECK(game.links[0] == "mygame://shop");
    CHECK(!push.OpenLink(u"file:///etc/passwd"));
    CHECK_SOON_THERE(game.errors.size() == 1);
    CHECK(game.errors[0].Code == 8 && !game.errors[0].Message.IsEmpty() && !game.errors[0].RecoverySuggestion.IsEmpty());
    push.SetBadge(3);
    CHECK_SOON_THERE(PushHooks_Badge() == 3);
    push.SetTrackingEnabled(true);
    CHECK(PushHooks_IsTracking() == 1);
    CHECK(game.alwaysOnGameThread);
    push.Deinitialize();
}

// What nobody has bound waits in the SDK for the one that comes.
void keepsATapForAnEventThatIsBoundLater() {
    PushHooks_Start(PushHooksAllows);
    UPushNotificationSubsystem push;
    Game game;
    push.SetOptions(options);
    push.Configure(address, u"validkey123", u"");
    CHECK_SOON_THERE(PushHooks_Buttons("MISSION") == 1);  // The launch is over.
    PushHooks_Open(R"({"aps":{"alert":"tapped"},"message_id":"m-9"})");
    for (int turn = 0; turn < 5; turn++) PushHooks_ServeMainQueue();
    push.OnNotificationOpened.AddDynamic(&game, &Game::opened);
    push.Listen();
    CHECK_SOON_THERE(game.taps.size() == 1);
    CHECK(has(game.taps[0], "tapped") && game.alwaysOnGameThread);
    push.Deinitialize();
}

void endsEveryCall() {
    PushHooks_Start(PushHooksAllows);
    UPushNotificationSubsystem push;
    Game game;
    bindAll(push, game);
    push.GetDiagnostics(readingText(game));
    CHECK_SOON_THERE(game.ends.size() == 1);
    CHECK(game.ends[0] == 6 && game.texts[0].empty());  // Not configured.
    game.ends.clear();
    game.texts.clear();
    push.Login(u"player-1", u"", ending(game));
    CHECK_SOON_THERE(game.ends.size() == 1);
    CHECK(game.ends[0] == 6);
    push.Configure(address, u"validkey123", u"");
    PushHooks_Register();
    CHECK_SOON_THERE(PushHooks_LastUser() != nullptr);
    push.Login(u"player-2", u"token.of.two", ending(game));
    CHECK_SOON_THERE(game.ends.size() == 2);
    CHECK(game.ends[1] == 0 && std::string(PushHooks_LastUser()) == "player-2/token.of.two");
    push.RequestProvisionalPermission(answering(game));
    CHECK_SOON_THERE(game.answers.size() == 1 && game.changes.size() == 1);
    CHECK(game.answers[0] && game.changes[0] == EPushPermission::Provisional);
    push.GetPermission(looking(game));
    CHECK_SOON_THERE(game.looks.size() == 1);
    CHECK(game.looks[0] == EPushPermission::Provisional);
    push.OpenSettings(answering(game));
    CHECK_SOON_THERE(game.answers.size() == 2);
    push.LoadPreferences(reading(game));
    CHECK_SOON_THERE(game.texts.size() == 1);
    CHECK(game.ends.back() == 0 && has(game.texts[0], "{"));
    CHECK(Game::text(push.GetDeviceToken()).size() == 64 && Game::text(push.GetInstallationId()).size() == 36);
    push.GetDiagnostics(readingText(game));
    CHECK_SOON_THERE(game.texts.size() == 2);
    CHECK(game.ends.back() == 0 && has(game.texts[1], "player-2") && !has(game.texts[1], "validkey123"));
    push.SendTestNotification(FPushTextAnswer());  // Nobody has to hear its id.
    CHECK_SOON_THERE(has(PushHooks_LastRequest(), "/test"));
    push.SendTestNotification(readingText(game));
    CHECK_SOON_THERE(game.texts.size() == 3);
    CHECK(game.ends.back() == 0 && game.texts[2].size() == 36);
    push.SetFCMToken(u"f:cm");
    CHECK_SOON_THERE(std::string(PushHooks_LastToken()) == "fcm f:cm");
    push.SetFCMToken(u"");
    push.Logout(FPushCompletion());  // Nobody has to wait for the end.
    CHECK_SOON_THERE(std::string(PushHooks_LastUser()) == "-");
    const std::size_t before = game.ends.size();
    push.ForgetDevice(ending(game));
    CHECK_SOON_THERE(game.ends.size() == before + 1);
    CHECK(game.ends.back() == 0);
    CHECK(game.alwaysOnGameThread);
    push.Deinitialize();
}

void tellsOfARefusal() {
    PushHooks_Start(PushHooksDenies);
    UPushNotificationSubsystem push;
    Game game;
    push.OnError.AddDynamic(&game, &Game::failed);
    push.Configure(u"http://api.example.test", u"validkey123", u"");
    CHECK_SOON_THERE(game.errors.size() == 1);
    CHECK(game.errors[0].Code == 1);
    push.Configure(address, u"validkey123", u"");
    push.RequestPermission(answering(game));
    CHECK_SOON_THERE(game.answers.size() == 1);
    CHECK(!game.answers[0]);
    push.Deinitialize();
}

std::size_t waiting() {
    const std::lock_guard<std::mutex> held(mutex);
    return tasks.size();
}

// A game instance that ends while so many notifications are on their way to it.
void endsBefore(int count, Game &game) {
    PushHooks_Start(PushHooksAllows);
    UPushNotificationSubsystem push;
    bindAll(push, game);
    push.Configure(address, u"validkey123", u"");
    runGameThread();
    for (int number = 0; number < count; number++) {
        const std::string id = std::to_string(number);
        PushHooks_Deliver((R"({"aps":{"alert":"sent"},"message_id":"m-)" + id + R"("})").c_str());
        CHECK_SOON(waiting() == static_cast<std::size_t>(number) + 1);
    }
    push.Deinitialize();
    runGameThread();
    CHECK(game.notifications.empty());
}

// What was on its way then is told the next game instance, and what came after it.
void survivesItsOwnEnd() {
    Game game, next;
    endsBefore(1, game);
    PushHooks_Deliver(R"({"aps":{"alert":"late"},"message_id":"m-late"})");
    for (int turn = 0; turn < 5; turn++) PushHooks_ServeMainQueue();
    runGameThread();
    CHECK(game.notifications.empty());
    UPushNotificationSubsystem push;
    push.Listen();  // Nothing is bound.
    runGameThread();
    push.OnNotificationReceived.AddDynamic(&next, &Game::received);
    push.Listen();
    CHECK_SOON_THERE(next.notifications.size() == 2);
    CHECK(has(next.notifications[0], "m-0") && has(next.notifications[1], "m-late") && next.alwaysOnGameThread);
    runGameThread();
    CHECK(next.notifications.size() == 2 && game.notifications.empty());
    push.Deinitialize();
}

// As many as the SDK itself keeps, the newest.
void keepsTheNewestForTheNextInstance() {
    Game game, next;
    endsBefore(40, game);
    UPushNotificationSubsystem push;
    push.OnNotificationReceived.AddDynamic(&next, &Game::received);
    push.Listen();
    CHECK_SOON_THERE(next.notifications.size() == 32);
    CHECK(has(next.notifications.front(), "m-8") && has(next.notifications.back(), "m-39"));
    push.Deinitialize();
}

#else

void endsEveryCall() {
    UPushNotificationSubsystem push;
    Game game;
    isGameThread = true;  // At once, within the call.
    CHECK(!UPushNotificationSubsystem::IsAvailable());
    push.OnError.AddDynamic(&game, &Game::failed);
    push.SetOptions(u"{}");
    push.Configure(u"https://api.example.test", u"validkey123", u"");
    push.Listen();
    push.Login(u"player-1", u"", ending(game));
    push.Logout(ending(game));
    push.ForgetDevice(ending(game));
    push.RequestPermission(answering(game));
    push.RequestProvisionalPermission(answering(game));
    push.GetPermission(looking(game));
    push.OpenSettings(answering(game));
    push.LoadPreferences(reading(game));
    push.SetPreferences(u"{}", reading(game));
    push.SetPushEnabled(true, ending(game));
    push.GetInboxPage(u"", reading(game));
    push.GetInboxCounts(reading(game));
    push.MarkInbox(u"[]", u"read", ending(game));
    push.MarkWholeInbox(u"id", u"read", u"", ending(game));
    push.ArchiveInboxItem(u"id", ending(game));
    push.GetDiagnostics(readingText(game));
    push.SendTestNotification(readingText(game));
    CHECK(game.ends == std::vector<int32>(17, UPushNotificationSubsystem::Unavailable));
    CHECK(game.errors.empty() && game.alwaysOnGameThread);
    push.SetFCMToken(u"token");
    push.SetBadge(1);
    push.SetTrackingEnabled(true);
    push.AnswerUserToken(u"player-1", u"");
    CHECK(!push.OpenLink(u"mygame://shop"));
    CHECK(push.GetDeviceToken().IsEmpty() && push.GetInstallationId().IsEmpty());
    push.Deinitialize();
}

#endif

}  // namespace

std::u16string StandInWide(const char *Text) { return Conversion().from_bytes(Text); }
std::string StandInNarrow(const TCHAR *Text) { return Conversion().to_bytes(Text); }

UObject::UObject() {
    const std::lock_guard<std::mutex> held(mutex);
    objects.insert(this);
}

UObject::~UObject() {
    const std::lock_guard<std::mutex> held(mutex);
    objects.erase(this);
}

bool UObject::StandInIsAlive(const UObject *Object) {
    const std::lock_guard<std::mutex> held(mutex);
    return objects.count(Object) > 0;
}

void AsyncTask(ENamedThreads::Type, std::function<void()> Function) {
    const std::lock_guard<std::mutex> held(mutex);
    tasks.push_back(std::move(Function));
}

int main() {
#if WITH_PUSH_SDK
    tellsTheGameOnItsThread();
    keepsATapForAnEventThatIsBoundLater();
    endsEveryCall();
    tellsOfARefusal();
    survivesItsOwnEnd();
    keepsTheNewestForTheNextInstance();
#else
    endsEveryCall();
#endif
    return checksFinish();
}
