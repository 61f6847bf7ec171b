#if canImport(SwiftUI) && !os(tvOS)
    public import PushNotificationSDKCore
    public import SwiftUI

    /// What the user who is logged in wants: a switch for each category and channel, and those over all categories. It
    /// stands in a `NavigationView` or `NavigationStack` of the app's.
    @available(iOS 15.0, macOS 12.0, *)
    public struct PreferencesView: View {
        @StateObject private var observed: Observed<PreferencesModel>
        @Environment(\.pushNotificationTheme) private var theme
        @Environment(\.pushNotificationTexts) private var texts
        @Environment(\.scenePhase) private var scenePhase
        private let channels: [PreferencesModel.Channel]

        /// Preferences.
        ///
        /// - Parameters:
        ///   - preferences: the SDK's.
        ///   - showsInbox: whether there are switches for the inbox beside those for pushes.
        public init(
            _ preferences: PushNotificationSDK.Preferences = PushNotificationSDK.preferences,
            showsInbox: Bool = true
        ) {
            self.init(SDKPreferences(preferences), showsInbox: showsInbox)
        }

        init(_ source: any PreferencesSource, showsInbox: Bool = true) {
            _observed = StateObject(wrappedValue: Observed(PreferencesModel(source)))
            channels = showsInbox ? [.push, .inbox] : [.push]
        }

        private var model: PreferencesModel { observed.model }

        /// The switches.
        public var body: some View {
            Form {
                if model.isDenied { denied }
                if case .switches(let trouble?) = model.content {
                    TroubleView(trouble: trouble) { refresh() }
                }
                if case .switches = model.content {
                    Section {
                        toggles(of: nil, texts.allCategories)
                    } header: {
                        Text(texts.allCategories)
                    }
                    ForEach(model.categories) { category in
                        Section {
                            toggles(of: category.key, category.name())
                        } header: {
                            Text(category.name())
                        }
                    }
                }
            }
            .overlay { placeholder }
            .refreshable { [model] in await model.refresh() }
            .task { [model] in await model.run() }
            .onChange(of: scenePhase) { phase in
                if phase == .active { Task { [model] in await model.checkPermission() } }
            }
            .navigationTitle(texts.preferences)
            .alert(texts.notSaved, isPresented: $observed.hasRefusal) {
                Button(texts.close) {}
            } message: {
                if let refusal = model.refusal { Text(texts.text(for: refusal)) }
            }
        }

        @ViewBuilder private var placeholder: some View {
            switch model.content {
            case .loading: ProgressView()
            case .failed(let trouble): TroubleView(trouble: trouble, isAlone: true) { refresh() }
            case .switches: EmptyView()
            }
        }

        private var denied: some View {
            Section {
                Label(texts.denied, systemImage: theme.deniedSymbol).font(theme.bodyFont)
                Button {
                    Task { [model] in await model.openSettings() }
                } label: {
                    Text(texts.openSettings).frame(minHeight: minimumTapSize)
                }
            }
        }

        private func toggles(of category: String?, _ name: String) -> some View {
            ForEach(channels, id: \.self) { channel in
                toggle(PreferencesModel.SwitchID(category, channel), of: name)
            }
        }

        private func toggle(_ id: PreferencesModel.SwitchID, of name: String) -> some View {
            let channel = id.channel == .push ? texts.push : texts.inbox
            let lock = model[id].lock
            return Toggle(isOn: $observed[isOn: id]) {
                VStack(alignment: .leading, spacing: theme.spacing / 3) {
                    Text(channel).font(theme.bodyFont).foregroundColor(theme.textColor)
                    if let lock {
                        Text(reason(of: lock)).font(theme.detailFont).foregroundColor(theme.detailColor)
                    }
                }
                .frame(minHeight: minimumTapSize)
            }
            .tint(theme.accentColor)
            .disabled(lock != nil)
            // Alone, "Push notifications" would be heard again for each category.
            .accessibilityLabel("\(name), \(channel)")
            .accessibilityHint(lock.map(reason) ?? "")
        }

        private func reason(of lock: PreferencesModel.Lock) -> String {
            switch lock {
            case .required: texts.required
            case .offForAll: texts.offForAll
            }
        }

        private func refresh() {
            Task { [model] in await model.refresh() }
        }
    }

    @available(iOS 15.0, macOS 12.0, *)
    extension Observed where Model == PreferencesModel {
        /// Whether a message says why a switch moved back.
        fileprivate var hasRefusal: Bool {
            get { model.refusal != nil }
            set { if !newValue { model.dismissRefusal() } }
        }

        /// A switch's position.
        fileprivate subscript(isOn id: PreferencesModel.SwitchID) -> Bool {
            get { model[id].isOn }
            set { Task { [model] in await model.set(newValue, id) } }
        }
    }
#endif
