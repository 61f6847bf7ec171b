import Logging
import MartletConsole
import MartletCore
import MartletHTTP
import MartletPipeline
import MartletProviders
import MartletSNS
import MartletSQLite
import MartletStore
import MartletWebhooks
import NIOPosix

extension Composition {
    /// What interfaces and workers share, and how each of them is made of it.
    struct Parts {
        let store: Store
        let vault: Vault
        let metrics: PrometheusRegistry
        let settings: ServeSettings
        let logger: Logger
        let pushServices: [any PushService]
        let providers: [Platform: any Provider]
        let credentials: CredentialService
        let submitter: Submitter
        let clock: any WallClock
        let wakeUps = WakeUps()
        let inlineDispatch = InlineDispatch()
        let breakers: QueueBreakers
        let delivery = DeliveryMetrics()
        let failures = DeliveryFailures()

        init(
            store: Store,
            vault: Vault,
            metrics: PrometheusRegistry,
            settings: ServeSettings,
            logger: Logger
        ) {
            (self.store, self.vault, self.metrics) = (store, vault, metrics)
            (self.settings, self.logger) = (settings, logger)
            clock = store.clock
            pushServices = Self.pushServices(settings, store: store, vault: vault, metrics: metrics, logger: logger)
            providers = Dictionary(uniqueKeysWithValues: pushServices.map { ($0.platform, $0 as any Provider) })
            breakers = QueueBreakers(logger: logger)
            credentials = CredentialService(store: store, providers: providers, vault: vault)
            submitter = Submitter(
                store: store,
                providers: providers,
                clock: clock,
                wakeUps: wakeUps,
                inlineDispatch: inlineDispatch,
                metrics: delivery,
                backlogLimit: settings.backlogLimit
            )
        }

        /// All that there are: the one place that a further one is added to.
        private static func pushServices(
            _ settings: ServeSettings,
            store: Store,
            vault: Vault,
            metrics: PrometheusRegistry,
            logger: Logger
        ) -> [any PushService] {
            let (group, clock) = (MultiThreadedEventLoopGroup.singleton, store.clock)
            let tokens = ProviderTokenStore(store.sharedValue, vault: vault)
            let resolver = NameResolver()
            return [
                APNsProvider(
                    group: group,
                    clock: clock,
                    settings: settings.apns,
                    tokenStore: tokens,
                    metrics: metrics,
                    logger: logger
                ),
                FCMProvider(
                    group: group,
                    clock: clock,
                    settings: settings.fcm,
                    tokenStore: tokens,
                    metrics: metrics,
                    logger: logger
                ),
                WebPushProvider(
                    group: group,
                    clock: clock,
                    settings: settings.webPush,
                    tokenStore: tokens,
                    resolve: { try await resolver.addresses(of: $0) },
                    metrics: metrics,
                    logger: logger
                ),
            ]
        }

        func api() -> MartletAPI {
            MartletAPI(
                store: store,
                providers: providers,
                vault: vault,
                clock: clock,
                submitter: submitter,
                wakeUps: wakeUps,
                credentials: credentials,
                keySets: KeySetCache(privateHosts: settings.privateHosts, clock: clock, logger: logger),
                metrics: metrics,
                breakers: breakers,
                delivery: delivery,
                settings: settings.api,
                logger: logger
            )
        }

        func sns() -> SNSService {
            SNSService(
                store: store,
                submitter: submitter,
                credentials: credentials,
                vault: vault,
                clock: clock,
                wakeUps: wakeUps,
                settings: settings.sns,
                homeRegion: settings.api.region,
                logger: logger
            )
        }

        func console(_ operators: OperatorService) throws -> ConsoleService {
            var console = settings.console
            let proxies = settings.api.proxies
            console.region = settings.api.region
            console.fetch = SimulatorClient.fetch
            console.client = { proxies.client(of: $0, forwarded: $1) }
            return try ConsoleService(
                store: store,
                operators: operators,
                submitter: submitter,
                credentials: credentials,
                providers: providers,
                breakers: breakers,
                wakeUps: wakeUps,
                clock: clock,
                settings: console,
                logger: logger
            )
        }

        func dispatcher() -> Dispatcher {
            Dispatcher(
                store: store,
                providers: providers,
                credentials: credentials,
                clock: clock,
                wakeUps: wakeUps,
                inlineDispatch: inlineDispatch,
                metrics: delivery,
                breakers: breakers,
                onSettlement: failures.settled,
                settings: settings.dispatcher,
                isShared: store.isShared,
                logger: logger
            )
        }

        func badges() -> BadgeSyncWorker {
            BadgeSyncWorker(store: store, submitter: submitter, clock: clock, logger: logger)
        }

        func webhooks(_ sns: SNSService, presence: LeaseTerm?) -> WebhookDispatcher {
            let requests = WebhookRequestBuilder(sns)
            return WebhookDispatcher(
                store: store,
                vault: vault,
                clock: clock,
                wakeUps: wakeUps,
                request: { try await requests.request(for: $0, $1, to: $2, $3) },
                checkName: CertificateName.demand,
                privateHosts: settings.privateHosts,
                metrics: metrics,
                presence: presence,
                logger: logger
            )
        }
    }
}
