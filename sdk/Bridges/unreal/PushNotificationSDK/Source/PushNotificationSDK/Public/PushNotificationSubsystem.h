#pragma once

#include "CoreMinimal.h"
#include "Subsystems/GameInstanceSubsystem.h"
#include "PushNotificationSubsystem.generated.h"

/** What the person allows. What a later system adds reads as Denied. */
UENUM(BlueprintType)
enum class EPushPermission : uint8
{
	NotDetermined = 0,
	Denied = 1,
	Authorized = 2,
	/** Quiet notifications, on trial. */
	Provisional = 3,
	/** For the few hours of an App Clip. */
	Ephemeral = 4
};

/** What the SDK reports. */
USTRUCT(BlueprintType)
struct FPushNotificationError
{
	GENERATED_BODY()

	/** 0 where there is no error; else a code of docs/sdk/c.md, or -2 where there is no SDK: in the editor, and off iOS. */
	UPROPERTY(BlueprintReadOnly, Category = "Push Notifications")
	int32 Code = 0;

	UPROPERTY(BlueprintReadOnly, Category = "Push Notifications")
	FString Message;

	/** What to do about it. */
	UPROPERTY(BlueprintReadOnly, Category = "Push Notifications")
	FString RecoverySuggestion;
};

DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FPushNotificationEvent, const FString&, JsonPayload);
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(
	FPushNotificationActionEvent, const FString&, ActionId, const FString&, JsonPayload);
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FPushDeepLinkEvent, const FString&, Url, const FString&, JsonPayload);
DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FPushPermissionEvent, EPushPermission, Permission);
DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FPushUserTokenEvent, const FString&, PlayerAccountId);
DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FPushErrorEvent, const FPushNotificationError&, Error);

DECLARE_DYNAMIC_DELEGATE_OneParam(FPushCompletion, const FPushNotificationError&, Error);
DECLARE_DYNAMIC_DELEGATE_TwoParams(FPushAnswer, bool, bYes, const FPushNotificationError&, Error);
DECLARE_DYNAMIC_DELEGATE_TwoParams(
	FPushPermissionAnswer, EPushPermission, Permission, const FPushNotificationError&, Error);
DECLARE_DYNAMIC_DELEGATE_TwoParams(FPushJsonAnswer, const FString&, Json, const FPushNotificationError&, Error);
DECLARE_DYNAMIC_DELEGATE_TwoParams(FPushTextAnswer, const FString&, Text, const FPushNotificationError&, Error);

/**
 * The SDK as games and Blueprints see it. Use it on the game thread; every event and every completion comes there too.
 *
 * Bind the events first and call Configure then: what arrived before, such as the tap that started the game, waits in the
 * SDK until an event of its kind is bound. An event that is bound later takes what waits with Listen. What is on its way
 * when the game instance ends is told the next one.
 *
 * In the editor and on platforms other than iOS there is no SDK: IsAvailable is false, no event is told of anything, and
 * every completion comes with the code -2.
 */
UCLASS()
class PUSHNOTIFICATIONSDK_API UPushNotificationSubsystem : public UGameInstanceSubsystem
{
	GENERATED_BODY()

public:
	/** The code where there is no SDK. */
	static constexpr int32 Unavailable = -2;

	/** Told of a notification: one JSON object, whose members docs/sdk/c.md lists. */
	UPROPERTY(BlueprintAssignable, Category = "Push Notifications")
	FPushNotificationEvent OnNotificationReceived;

	/** Told of a notification that the person tapped; OnNotificationReceived is told as well. */
	UPROPERTY(BlueprintAssignable, Category = "Push Notifications")
	FPushNotificationEvent OnNotificationOpened;

	/** Told of a tapped button; what the person wrote into one that takes text is the payload's member userText. */
	UPROPERTY(BlueprintAssignable, Category = "Push Notifications")
	FPushNotificationActionEvent OnNotificationAction;

	/** Told of links into the game that the options allow. Without a payload the system opened the game by the link. */
	UPROPERTY(BlueprintAssignable, Category = "Push Notifications")
	FPushDeepLinkEvent OnDeepLink;

	/** Told when the person allowed or refused notifications, at the prompt or in the system's settings. */
	UPROPERTY(BlueprintAssignable, Category = "Push Notifications")
	FPushPermissionEvent OnPermissionChanged;

	/** Told when something changed in the inbox, while the game is in front. */
	UPROPERTY(BlueprintAssignable, Category = "Push Notifications")
	FPushNotificationEvent OnInboxUpdate;

	/** Told that a token is needed that speaks for a player; AnswerUserToken hands it over. */
	UPROPERTY(BlueprintAssignable, Category = "Push Notifications")
	FPushUserTokenEvent OnUserTokenNeeded;

	/** Told of errors, also of those of Configure and SetOptions. */
	UPROPERTY(BlueprintAssignable, Category = "Push Notifications")
	FPushErrorEvent OnError;

	/** Whether there is an SDK to call. */
	UFUNCTION(BlueprintPure, Category = "Push Notifications")
	static bool IsAvailable();

	/** Sets what Configure takes beside its arguments: one JSON object, whose members docs/sdk/c.md lists. */
	UFUNCTION(BlueprintCallable, Category = "Push Notifications")
	void SetOptions(const FString& JsonOptions);

	/** Has the events that are bound told, and starts the SDK. The player may be empty: none yet. */
	UFUNCTION(BlueprintCallable, Category = "Push Notifications")
	void Configure(const FString& ApiUrl, const FString& ApiKey, const FString& PlayerAccountId);

	/** Has events told that were bound after Configure. */
	UFUNCTION(BlueprintCallable, Category = "Push Notifications")
	void Listen();

	/** A player logged in; the token may be empty. The completion comes when the server knows. */
	UFUNCTION(BlueprintCallable, Category = "Push Notifications", meta = (AutoCreateRefTerm = "Completion"))
	void Login(const FString& PlayerAccountId, const FString& UserToken, const FPushCompletion& Completion);

	/** The player logged out: pushes for that player do not come to this device any more. */
	UFUNCTION(BlueprintCallable, Category = "Push Notifications", meta = (AutoCreateRefTerm = "Completion"))
	void Logout(const FPushCompletion& Completion);

	/** Removes what the SDK keeps on the device, but for the consent, and has the server delete the installation. */
	UFUNCTION(BlueprintCallable, Category = "Push Notifications", meta = (AutoCreateRefTerm = "Completion"))
	void ForgetDevice(const FPushCompletion& Completion);

	/** Asks the person for the permission to notify: badge, sound and alert. */
	UFUNCTION(BlueprintCallable, Category = "Push Notifications", meta = (AutoCreateRefTerm = "Answer"))
	void RequestPermission(const FPushAnswer& Answer);

	/** Has quiet notifications allowed, without a prompt. */
	UFUNCTION(BlueprintCallable, Category = "Push Notifications", meta = (AutoCreateRefTerm = "Answer"))
	void RequestProvisionalPermission(const FPushAnswer& Answer);

	/** Asks the system what the person allows now, without a prompt. */
	UFUNCTION(BlueprintCallable, Category = "Push Notifications")
	void GetPermission(const FPushPermissionAnswer& Answer);

	/** Opens the game's page in the system's settings. */
	UFUNCTION(BlueprintCallable, Category = "Push Notifications", meta = (AutoCreateRefTerm = "Answer"))
	void OpenSettings(const FPushAnswer& Answer);

	/** The device token in hexadecimal; empty before one came. */
	UFUNCTION(BlueprintPure, Category = "Push Notifications")
	FString GetDeviceToken() const;

	/** The id by which the server knows this install; empty before Configure, and before the device's first unlock. */
	UFUNCTION(BlueprintPure, Category = "Push Notifications")
	FString GetInstallationId() const;

	/**
	 * Tells why pushes come to this device or do not, as a text for people. It holds no key, secret or user token, and names
	 * the player. Before Configure there is an error.
	 */
	UFUNCTION(BlueprintCallable, Category = "Push Notifications")
	void GetDiagnostics(const FPushTextAnswer& Answer);

	/** Has the server send a test to this device alone; the answer is the notification's id, the payload's messageId. */
	UFUNCTION(BlueprintCallable, Category = "Push Notifications", meta = (AutoCreateRefTerm = "Answer"))
	void SendTestNotification(const FPushTextAnswer& Answer);

	/** Has this install reached through Firebase Cloud Messaging; an empty token goes back to Apple's. */
	UFUNCTION(BlueprintCallable, Category = "Push Notifications")
	void SetFCMToken(const FString& Token);

	/** Hands over a link that the game itself was told of: whether the SDK took it. */
	UFUNCTION(BlueprintCallable, Category = "Push Notifications")
	bool OpenLink(const FString& Url);

	/** Sets the number on the game's icon; 0 removes it. */
	UFUNCTION(BlueprintCallable, Category = "Push Notifications")
	void SetBadge(int32 Number);

	/** Whether events are reported: the player's consent. */
	UFUNCTION(BlueprintCallable, Category = "Push Notifications")
	void SetTrackingEnabled(bool bIsEnabled);

	/** Reads what the player wants. Preferences and inbox need a player whose token is known. */
	UFUNCTION(BlueprintCallable, Category = "Push Notifications")
	void LoadPreferences(const FPushJsonAnswer& Answer);

	/** Changes what the JSON object names and nothing else. */
	UFUNCTION(BlueprintCallable, Category = "Push Notifications", meta = (AutoCreateRefTerm = "Answer"))
	void SetPreferences(const FString& JsonChange, const FPushJsonAnswer& Answer);

	/** Switches pushes to this device on or off; inbox items stay. */
	UFUNCTION(BlueprintCallable, Category = "Push Notifications", meta = (AutoCreateRefTerm = "Completion"))
	void SetPushEnabled(bool bIsEnabled, const FPushCompletion& Completion);

	/** Reads a page of the inbox; an empty query is the newest of what is not archived. */
	UFUNCTION(BlueprintCallable, Category = "Push Notifications")
	void GetInboxPage(const FString& JsonQuery, const FPushJsonAnswer& Answer);

	/** Reads how many items the player has not read. */
	UFUNCTION(BlueprintCallable, Category = "Push Notifications")
	void GetInboxCounts(const FPushJsonAnswer& Answer);

	/** Marks items, a JSON list of their ids, as seen, unseen, read, unread, archived or unarchived. */
	UFUNCTION(BlueprintCallable, Category = "Push Notifications", meta = (AutoCreateRefTerm = "Completion"))
	void MarkInbox(const FString& JsonItemIds, const FString& Mark, const FPushCompletion& Completion);

	/** Marks all items up to this one as seen, read or archived; of a category, or, where it is empty, of all. */
	UFUNCTION(BlueprintCallable, Category = "Push Notifications", meta = (AutoCreateRefTerm = "Completion"))
	void MarkWholeInbox(
		const FString& ItemId, const FString& Mark, const FString& InboxCategory, const FPushCompletion& Completion);

	/** Puts an item away. */
	UFUNCTION(BlueprintCallable, Category = "Push Notifications", meta = (AutoCreateRefTerm = "Completion"))
	void ArchiveInboxItem(const FString& ItemId, const FPushCompletion& Completion);

	/** Hands over the token that OnUserTokenNeeded asked for; an empty one where there is none. */
	UFUNCTION(BlueprintCallable, Category = "Push Notifications")
	void AnswerUserToken(const FString& PlayerAccountId, const FString& UserToken);

	virtual void Deinitialize() override;
};
