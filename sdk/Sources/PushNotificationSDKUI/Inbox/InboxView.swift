#if canImport(SwiftUI) && !os(tvOS)
    public import PushNotificationSDKCore
    public import SwiftUI

    /// The inbox of the user who is logged in: the newest items first, older ones as the person comes to them, and what was
    /// read last where there is no connection. It stands in a `NavigationView` or `NavigationStack` of the app's.
    @available(iOS 15.0, macOS 12.0, *)
    public struct InboxView: View {
        @StateObject private var observed: Observed<InboxModel>
        @Environment(\.pushNotificationTheme) private var theme
        @Environment(\.pushNotificationTexts) private var texts
        private let onOpen: ((InboxItem) -> Void)?

        /// An inbox.
        ///
        /// - Parameters:
        ///   - inbox: the SDK's.
        ///   - onOpen: shows an item that was tapped. Without it the SDK goes where the item's link leads, as after a tap
        ///     on its notification.
        public init(
            _ inbox: PushNotificationSDK.Inbox = PushNotificationSDK.inbox,
            onOpen: ((InboxItem) -> Void)? = nil
        ) {
            self.init(SDKInbox(inbox), onOpen)
        }

        init(_ source: any InboxSource, _ onOpen: ((InboxItem) -> Void)? = nil) {
            _observed = StateObject(wrappedValue: Observed(InboxModel(source)))
            self.onOpen = onOpen
        }

        private var model: InboxModel { observed.model }

        /// The list.
        public var body: some View {
            List {
                if case .items(let trouble?) = model.content {
                    TroubleView(trouble: trouble) { refresh() }
                }
                ForEach(model.items) { item in row(item) }
                if model.hasMore { footer }
            }
            .listStyle(.plain)
            .overlay { placeholder }
            .refreshable { [model] in await model.refresh() }
            .task { [model] in await model.run() }
            .navigationTitle(texts.inbox)
            .toolbar {
                ToolbarItem(placement: .primaryAction) { readAllButton }
            }
            .alert(texts.notMarked, isPresented: $observed.hasRefusal) {
                Button(texts.close) {}
            } message: {
                if let refusal = model.refusal { Text(texts.text(for: refusal)) }
            }
        }

        @ViewBuilder private var placeholder: some View {
            switch model.content {
            case .loading: ProgressView()
            case .empty: PlaceholderView(symbol: theme.emptySymbol, text: texts.empty)
            case .failed(let trouble): TroubleView(trouble: trouble, isAlone: true) { refresh() }
            case .items: EmptyView()
            }
        }

        private var readAllButton: some View {
            Button {
                Task { [model] in await model.markAllRead() }
            } label: {
                Label(texts.markAllRead, systemImage: theme.readAllSymbol)
            }
            .disabled(!model.hasUnread)
        }

        private func row(_ item: InboxItem) -> some View {
            Button {
                Task { [model, onOpen] in await model.open(item, with: onOpen) }
            } label: {
                InboxRow(item: item)
            }
            .buttonStyle(.plain)
            .swipeActions(edge: .trailing, allowsFullSwipe: true) {
                Button(role: .destructive) {
                    mark(item, as: .archived)
                } label: {
                    Label(texts.remove, systemImage: theme.removeSymbol)
                }
                .tint(theme.removeColor)
            }
            .swipeActions(edge: .leading, allowsFullSwipe: true) {
                Button {
                    mark(item, as: item.isRead ? .unread : .read)
                } label: {
                    item.isRead
                        ? Label(texts.markUnread, systemImage: theme.unreadSymbol)
                        : Label(texts.markRead, systemImage: theme.readSymbol)
                }
                .tint(theme.accentColor)
            }
        }

        @ViewBuilder private var footer: some View {
            if let trouble = model.moreTrouble {
                TroubleView(trouble: trouble) { Task { [model] in await model.loadMore() } }
            } else {
                ProgressView()
                    .frame(maxWidth: .infinity, minHeight: minimumTapSize)
                    // Again for each page, as long as the end of the list is on the screen.
                    .task(id: model.cursor) { [model] in await model.loadMore() }
            }
        }

        private func refresh() {
            Task { [model] in await model.refresh() }
        }

        private func mark(_ item: InboxItem, as mark: InboxMark) {
            Task { [model] in await model.mark(item, as: mark) }
        }
    }

    @available(iOS 15.0, macOS 12.0, *)
    extension Observed where Model == InboxModel {
        /// Whether a message says why a mark was taken back.
        fileprivate var hasRefusal: Bool {
            get { model.refusal != nil }
            set { if !newValue { model.dismissRefusal() } }
        }
    }

    /// One item of the list.
    @available(iOS 15.0, macOS 12.0, *)
    struct InboxRow: View {
        let item: InboxItem
        @Environment(\.pushNotificationTheme) private var theme
        @Environment(\.pushNotificationTexts) private var texts
        /// How much larger texts are than by default.
        @ScaledMetric private var scale: CGFloat = 1

        var body: some View {
            TimelineView(.everyMinute) { timeline in
                HStack(alignment: .top, spacing: theme.spacing) {
                    Circle()
                        .fill(theme.accentColor)
                        .frame(width: theme.dotSize * scale, height: theme.dotSize * scale)
                        .opacity(item.isRead ? 0 : 1)
                    lines(now: timeline.date)
                    Spacer(minLength: 0)
                    image
                }
                .frame(minHeight: minimumTapSize)
                .contentShape(Rectangle())
                .accessibilityElement(children: .ignore)
                .accessibilityLabel(texts.spoken(item, now: timeline.date))
            }
        }

        private func lines(now: Date) -> some View {
            VStack(alignment: .leading, spacing: theme.spacing / 3) {
                if let title = item.title { Text(title).font(theme.titleFont) }
                if let subtitle = item.subtitle { Text(subtitle).font(theme.bodyFont) }
                if let body = item.body { Text(body).font(theme.bodyFont).lineLimit(4) }
                Text(texts.time(of: item.publishedAt, now: now))
                    .font(theme.detailFont)
                    .foregroundColor(theme.detailColor)
            }
            .foregroundColor(theme.textColor)
        }

        @ViewBuilder private var image: some View {
            if let url = item.imageURL {
                AsyncImage(url: url) { image in
                    image.resizable().scaledToFill()
                } placeholder: {
                    theme.detailColor.opacity(0.2)
                }
                .frame(width: theme.imageSize * scale, height: theme.imageSize * scale)
                .clipShape(RoundedRectangle(cornerRadius: theme.cornerRadius))
            }
        }
    }
#endif
