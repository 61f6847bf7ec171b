#include "PushNotificationSubsystem.h"

#include "Async/Async.h"

#if PLATFORM_IOS

#include "PushNotificationSDK.hpp"

using FPush = martlet::PushNotificationSDK;
using FPushReason = std::optional<martlet::PushError>;

namespace
{

FString FromUtf8(const std::string& Text)
{
	return FString(UTF8_TO_TCHAR(Text.c_str()));
}

std::string ToUtf8(const FString& Text)
{
	return std::string(TCHAR_TO_UTF8(*Text));
}

std::optional<std::string> ToOptionalUtf8(const FString& Text)
{
	return Text.IsEmpty() ? std::nullopt : std::optional<std::string>(ToUtf8(Text));
}

FPushNotificationError FromReason(const FPushReason& Reason)
{
	FPushNotificationError Error;
	if (Reason)
	{
		Error.Code = Reason->code;
		Error.Message = FromUtf8(Reason->message);
		Error.RecoverySuggestion = FromUtf8(Reason->recoverySuggestion);
	}
	return Error;
}

// The SDK calls on the app's main thread, which on iOS is not the game thread. What is told here is copied before that.
template <typename Call>
void OnGameThread(TWeakObjectPtr<UPushNotificationSubsystem> Subsystem, Call Told)
{
	AsyncTask(ENamedThreads::GameThread, [Subsystem, Told] {
		if (UPushNotificationSubsystem* There = Subsystem.Get())
		{
			Told(*There);
		}
	});
}

FPush::Completion Ending(const FPushCompletion& Completion)
{
	return [Completion](const FPushReason& Reason) {
		AsyncTask(ENamedThreads::GameThread, [Completion, Error = FromReason(Reason)] {
			Completion.ExecuteIfBound(Error);
		});
	};
}

FPush::JSONAnswer Answering(const FPushJsonAnswer& Answer)
{
	return [Answer](const std::optional<std::string>& Json, const FPushReason& Reason) {
		AsyncTask(ENamedThreads::GameThread, [Answer, Text = FromUtf8(Json.value_or("")), Error = FromReason(Reason)] {
			Answer.ExecuteIfBound(Text, Error);
		});
	};
}

// Why nobody could be asked goes to OnError.
FPush::PermissionCallback Granting(const FPushAnswer& Answer)
{
	return [Answer](bool bGranted) {
		AsyncTask(ENamedThreads::GameThread, [Answer, bGranted] {
			Answer.ExecuteIfBound(bGranted, FPushNotificationError());
		});
	};
}

} // namespace

bool UPushNotificationSubsystem::IsAvailable()
{
	return true;
}

void UPushNotificationSubsystem::SetOptions(const FString& JsonOptions)
{
	FPush::setOptions(ToUtf8(JsonOptions));
}

void UPushNotificationSubsystem::Configure(const FString& ApiUrl, const FString& ApiKey, const FString& PlayerAccountId)
{
	Listen();
	FPush::installAppDelegate();
	FPush::configure(ToUtf8(ApiUrl), ToUtf8(ApiKey), ToOptionalUtf8(PlayerAccountId));
}

// Only for what is bound: the SDK keeps the rest for the one that comes, and opens links that nobody takes.
void UPushNotificationSubsystem::Listen()
{
	const TWeakObjectPtr<UPushNotificationSubsystem> Self(this);
	if (OnError.IsBound())
	{
		FPush::onError([Self](const martlet::PushError& Reason) {
			OnGameThread(Self, [Error = FromReason(Reason)](auto& There) { There.OnError.Broadcast(Error); });
		});
	}
	if (OnNotificationReceived.IsBound())
	{
		FPush::onNotification([Self](const std::string& Json) {
			OnGameThread(Self, [Text = FromUtf8(Json)](auto& There) { There.OnNotificationReceived.Broadcast(Text); });
		});
	}
	if (OnNotificationOpened.IsBound())
	{
		FPush::onOpened([Self](const std::string& Json) {
			OnGameThread(Self, [Text = FromUtf8(Json)](auto& There) { There.OnNotificationOpened.Broadcast(Text); });
		});
	}
	if (OnNotificationAction.IsBound())
	{
		FPush::onAction([Self](const std::string& ActionId, const std::string& Json) {
			OnGameThread(Self, [Id = FromUtf8(ActionId), Text = FromUtf8(Json)](auto& There) {
				There.OnNotificationAction.Broadcast(Id, Text);
			});
		});
	}
	if (OnDeepLink.IsBound())
	{
		FPush::onLink([Self](const std::string& Url, const std::optional<std::string>& Json) {
			OnGameThread(Self, [Link = FromUtf8(Url), Text = FromUtf8(Json.value_or(""))](auto& There) {
				There.OnDeepLink.Broadcast(Link, Text);
			});
		});
	}
	if (OnPermissionChanged.IsBound())
	{
		FPush::onPermission([Self](martlet::Permission Permission) {
			OnGameThread(Self, [Permission](auto& There) {
				There.OnPermissionChanged.Broadcast(static_cast<EPushPermission>(Permission));
			});
		});
	}
	if (OnInboxUpdate.IsBound())
	{
		FPush::onInbox([Self](const std::string& Json) {
			OnGameThread(Self, [Text = FromUtf8(Json)](auto& There) { There.OnInboxUpdate.Broadcast(Text); });
		});
	}
	if (OnUserTokenNeeded.IsBound())
	{
		FPush::onUserTokenNeeded([Self](const std::string& Player) {
			OnGameThread(Self, [Text = FromUtf8(Player)](auto& There) { There.OnUserTokenNeeded.Broadcast(Text); });
		});
	}
}

void UPushNotificationSubsystem::Login(
	const FString& PlayerAccountId, const FString& UserToken, const FPushCompletion& Completion)
{
	FPush::login(ToUtf8(PlayerAccountId), ToOptionalUtf8(UserToken), Ending(Completion));
}

void UPushNotificationSubsystem::Logout(const FPushCompletion& Completion)
{
	FPush::logout(Ending(Completion));
}

void UPushNotificationSubsystem::ForgetDevice(const FPushCompletion& Completion)
{
	FPush::forgetDevice(Ending(Completion));
}

void UPushNotificationSubsystem::RequestPermission(const FPushAnswer& Answer)
{
	FPush::requestPermission(Granting(Answer));
}

void UPushNotificationSubsystem::RequestProvisionalPermission(const FPushAnswer& Answer)
{
	const int Options = PushSDKPermissionOptionBadge | PushSDKPermissionOptionSound | PushSDKPermissionOptionAlert
		| PushSDKPermissionOptionProvisional;
	FPush::requestPermission(Options, Granting(Answer));
}

void UPushNotificationSubsystem::GetPermission(const FPushPermissionAnswer& Answer)
{
	FPush::getPermission([Answer](martlet::Permission Permission, const FPushReason& Reason) {
		AsyncTask(ENamedThreads::GameThread, [Answer, Permission, Error = FromReason(Reason)] {
			Answer.ExecuteIfBound(static_cast<EPushPermission>(Permission), Error);
		});
	});
}

void UPushNotificationSubsystem::OpenSettings(const FPushAnswer& Answer)
{
	FPush::openSettings([Answer](bool bOpened, const FPushReason& Reason) {
		AsyncTask(ENamedThreads::GameThread, [Answer, bOpened, Error = FromReason(Reason)] {
			Answer.ExecuteIfBound(bOpened, Error);
		});
	});
}

FString UPushNotificationSubsystem::GetDeviceToken() const
{
	return FromUtf8(FPush::deviceToken().value_or(""));
}

FString UPushNotificationSubsystem::GetInstallationId() const
{
	return FromUtf8(FPush::installationID().value_or(""));
}

void UPushNotificationSubsystem::SetFCMToken(const FString& Token)
{
	FPush::setFCMToken(ToOptionalUtf8(Token));
}

bool UPushNotificationSubsystem::OpenLink(const FString& Url)
{
	return FPush::open(ToUtf8(Url));
}

void UPushNotificationSubsystem::SetBadge(int32 Number)
{
	FPush::setBadge(Number);
}

void UPushNotificationSubsystem::SetTrackingEnabled(bool bIsEnabled)
{
	FPush::setTrackingEnabled(bIsEnabled);
}

void UPushNotificationSubsystem::LoadPreferences(const FPushJsonAnswer& Answer)
{
	FPush::loadPreferences(Answering(Answer));
}

void UPushNotificationSubsystem::SetPreferences(const FString& JsonChange, const FPushJsonAnswer& Answer)
{
	FPush::setPreferences(ToUtf8(JsonChange), Answering(Answer));
}

void UPushNotificationSubsystem::SetPushEnabled(bool bIsEnabled, const FPushCompletion& Completion)
{
	FPush::setPushEnabled(bIsEnabled, Ending(Completion));
}

void UPushNotificationSubsystem::GetInboxPage(const FString& JsonQuery, const FPushJsonAnswer& Answer)
{
	FPush::inboxPage(ToOptionalUtf8(JsonQuery), Answering(Answer));
}

void UPushNotificationSubsystem::GetInboxCounts(const FPushJsonAnswer& Answer)
{
	FPush::inboxCounts(Answering(Answer));
}

void UPushNotificationSubsystem::MarkInbox(
	const FString& JsonItemIds, const FString& Mark, const FPushCompletion& Completion)
{
	FPush::markInbox(ToUtf8(JsonItemIds), ToUtf8(Mark), Ending(Completion));
}

void UPushNotificationSubsystem::MarkWholeInbox(
	const FString& ItemId, const FString& Mark, const FString& InboxCategory, const FPushCompletion& Completion)
{
	FPush::markWholeInbox(ToUtf8(ItemId), ToUtf8(Mark), ToOptionalUtf8(InboxCategory), Ending(Completion));
}

void UPushNotificationSubsystem::ArchiveInboxItem(const FString& ItemId, const FPushCompletion& Completion)
{
	FPush::archiveInboxItem(ToUtf8(ItemId), Ending(Completion));
}

void UPushNotificationSubsystem::AnswerUserToken(const FString& PlayerAccountId, const FString& UserToken)
{
	FPush::answerUserToken(ToUtf8(PlayerAccountId), ToOptionalUtf8(UserToken));
}

// What the SDK is told while nobody listens waits for the next game instance.
void UPushNotificationSubsystem::Deinitialize()
{
	FPush::onError(nullptr);
	FPush::onNotification(nullptr);
	FPush::onOpened(nullptr);
	FPush::onAction(nullptr);
	FPush::onLink(nullptr);
	FPush::onPermission(nullptr);
	FPush::onInbox(nullptr);
	FPush::onUserTokenNeeded(nullptr);
	Super::Deinitialize();
}

#else

namespace
{

FPushNotificationError Absence()
{
	FPushNotificationError Error;
	Error.Code = UPushNotificationSubsystem::Unavailable;
	Error.Message = TEXT("Push notifications are not available here.");
	Error.RecoverySuggestion = TEXT("Run the game on iOS; IsAvailable says whether there is an SDK.");
	return Error;
}

} // namespace

bool UPushNotificationSubsystem::IsAvailable()
{
	return false;
}

void UPushNotificationSubsystem::SetOptions(const FString&)
{
}

void UPushNotificationSubsystem::Configure(const FString&, const FString&, const FString&)
{
}

void UPushNotificationSubsystem::Listen()
{
}

void UPushNotificationSubsystem::Login(const FString&, const FString&, const FPushCompletion& Completion)
{
	Completion.ExecuteIfBound(Absence());
}

void UPushNotificationSubsystem::Logout(const FPushCompletion& Completion)
{
	Completion.ExecuteIfBound(Absence());
}

void UPushNotificationSubsystem::ForgetDevice(const FPushCompletion& Completion)
{
	Completion.ExecuteIfBound(Absence());
}

void UPushNotificationSubsystem::RequestPermission(const FPushAnswer& Answer)
{
	Answer.ExecuteIfBound(false, Absence());
}

void UPushNotificationSubsystem::RequestProvisionalPermission(const FPushAnswer& Answer)
{
	Answer.ExecuteIfBound(false, Absence());
}

void UPushNotificationSubsystem::GetPermission(const FPushPermissionAnswer& Answer)
{
	Answer.ExecuteIfBound(EPushPermission::NotDetermined, Absence());
}

void UPushNotificationSubsystem::OpenSettings(const FPushAnswer& Answer)
{
	Answer.ExecuteIfBound(false, Absence());
}

FString UPushNotificationSubsystem::GetDeviceToken() const
{
	return FString();
}

FString UPushNotificationSubsystem::GetInstallationId() const
{
	return FString();
}

void UPushNotificationSubsystem::SetFCMToken(const FString&)
{
}

bool UPushNotificationSubsystem::OpenLink(const FString&)
{
	return false;
}

void UPushNotificationSubsystem::SetBadge(int32)
{
}

void UPushNotificationSubsystem::SetTrackingEnabled(bool)
{
}

void UPushNotificationSubsystem::LoadPreferences(const FPushJsonAnswer& Answer)
{
	Answer.ExecuteIfBound(FString(), Absence());
}

void UPushNotificationSubsystem::SetPreferences(const FString&, const FPushJsonAnswer& Answer)
{
	Answer.ExecuteIfBound(FString(), Absence());
}

void UPushNotificationSubsystem::SetPushEnabled(bool, const FPushCompletion& Completion)
{
	Completion.ExecuteIfBound(Absence());
}

void UPushNotificationSubsystem::GetInboxPage(const FString&, const FPushJsonAnswer& Answer)
{
	Answer.ExecuteIfBound(FString(), Absence());
}

void UPushNotificationSubsystem::GetInboxCounts(const FPushJsonAnswer& Answer)
{
	Answer.ExecuteIfBound(FString(), Absence());
}

void UPushNotificationSubsystem::MarkInbox(const FString&, const FString&, const FPushCompletion& Completion)
{
	Completion.ExecuteIfBound(Absence());
}

void UPushNotificationSubsystem::MarkWholeInbox(
	const FString&, const FString&, const FString&, const FPushCompletion& Completion)
{
	Completion.ExecuteIfBound(Absence());
}

void UPushNotificationSubsystem::ArchiveInboxItem(const FString&, const FPushCompletion& Completion)
{
	Completion.ExecuteIfBound(Absence());
}

void UPushNotificationSubsystem::AnswerUserToken(const FString&, const FString&)
{
}

void UPushNotificationSubsystem::Deinitialize()
{
	Super::Deinitialize();
}

#endif
