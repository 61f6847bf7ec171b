#include "PushNotificationSubsystem.h"

#include "Async/Async.h"

#if WITH_PUSH_SDK

#include <deque>
#include <functional>

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

// Tells a subsystem, where it has the event bound: whether it has.
using FTold = std::function<bool(UPushNotificationSubsystem&)>;

// To the SDK all of this is told already. Used on the game thread alone.
struct FDelivery
{
	// The one that listens.
	TWeakObjectPtr<UPushNotificationSubsystem> Listener = nullptr;
	// What nobody could be told yet, oldest first.
	std::deque<FTold> Undelivered;

	// As many as the SDK keeps of a kind without a handler.
	static constexpr std::size_t Bound = 32;

	// Never destroyed, because the game thread may run while the program's statics are being taken down.
	static FDelivery& Only()
	{
		static FDelivery& There = *new FDelivery;
		return There;
	}

	void Deliver()
	{
		// Whoever is told may have other tasks run, and may end the game instance.
		std::deque<FTold> Waiting;
		Waiting.swap(Undelivered);
		for (FTold& Told : Waiting)
		{
			UPushNotificationSubsystem* There = Listener.Get();
			if (!There || !Told(*There))
			{
				Undelivered.push_back(std::move(Told));
			}
		}
		while (Undelivered.size() > Bound)
		{
			Undelivered.pop_front();
		}
	}
};

// The SDK calls on the app's main thread, which on iOS is not the game thread. What is told here is copied before that.
template <typename Event, typename... Values>
void Tell(Event UPushNotificationSubsystem::*Of, Values... Copies)
{
	AsyncTask(ENamedThreads::GameThread, [Of, Copies...] {
		FDelivery::Only().Undelivered.push_back([Of, Copies...](UPushNotificationSubsystem& There) {
			if (!(There.*Of).IsBound())
			{
				return false;
			}
			(There.*Of).Broadcast(Copies...);
			return true;
		});
		FDelivery::Only().Deliver();
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

template <typename Delegate>
FPush::JSONAnswer Answering(const Delegate& Answer)
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
	FDelivery::Only().Listener = this;
	if (OnError.IsBound())
	{
		FPush::onError([](const martlet::PushError& Reason) {
			Tell(&UPushNotificationSubsystem::OnError, FromReason(Reason));
		});
	}
	if (OnNotificationReceived.IsBound())
	{
		FPush::onNotification([](const std::string& Json) {
			Tell(&UPushNotificationSubsystem::OnNotificationReceived, FromUtf8(Json));
		});
	}
	if (OnNotificationOpened.IsBound())
	{
		FPush::onOpened([](const std::string& Json) {
			Tell(&UPushNotificationSubsystem::OnNotificationOpened, FromUtf8(Json));
		});
	}
	if (OnNotificationAction.IsBound())
	{
		FPush::onAction([](const std::string& ActionId, const std::string& Json) {
			Tell(&UPushNotificationSubsystem::OnNotificationAction, FromUtf8(ActionId), FromUtf8(Json));
		});
	}
	if (OnDeepLink.IsBound())
	{
		FPush::onLink([](const std::string& Url, const std::optional<std::string>& Json) {
			Tell(&UPushNotificationSubsystem::OnDeepLink, FromUtf8(Url), FromUtf8(Json.value_or("")));
		});
	}
	if (OnPermissionChanged.IsBound())
	{
		FPush::onPermission([](martlet::Permission Permission) {
			Tell(&UPushNotificationSubsystem::OnPermissionChanged, static_cast<EPushPermission>(Permission));
		});
	}
	if (OnInboxUpdate.IsBound())
	{
		FPush::onInbox([](const std::string& Json) {
			Tell(&UPushNotificationSubsystem::OnInboxUpdate, FromUtf8(Json));
		});
	}
	if (OnUserTokenNeeded.IsBound())
	{
		FPush::onUserTokenNeeded([](const std::string& Player) {
			Tell(&UPushNotificationSubsystem::OnUserTokenNeeded, FromUtf8(Player));
		});
	}
	AsyncTask(ENamedThreads::GameThread, [] { FDelivery::Only().Deliver(); });
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

void UPushNotificationSubsystem::GetDiagnostics(const FPushTextAnswer& Answer)
{
	FPush::getDiagnostics(Answering(Answer));
}

void UPushNotificationSubsystem::SendTestNotification(const FPushTextAnswer& Answer)
{
	FPush::sendTestNotification(Answering(Answer));
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

// What comes while nobody listens waits for the next game instance: in the SDK, and here what was on its way.
void UPushNotificationSubsystem::Deinitialize()
{
	FDelivery::Only().Listener = nullptr;
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

void UPushNotificationSubsystem::GetDiagnostics(const FPushTextAnswer& Answer)
{
	Answer.ExecuteIfBound(FString(), Absence());
}

void UPushNotificationSubsystem::SendTestNotification(const FPushTextAnswer& Answer)
{
	Answer.ExecuteIfBound(FString(), Absence());
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
