// What of SwiftUI the guide uses, by name and type. Apple's `App` and `Scene` are for iOS 14 and later.
@_exported public import UIKit

@MainActor
@preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    public var body: Never { self }
}

@resultBuilder
public struct ViewBuilder {
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
}

@MainActor
@preconcurrency
public protocol Scene {}

@resultBuilder
public struct SceneBuilder {
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

@MainActor
@preconcurrency
public protocol App {
    associatedtype Body: Scene
    @SceneBuilder var body: Body { get }
    init()
}

extension App {
    public static func main() {}
}

public struct WindowGroup<Content: View>: Scene {
    public init(@ViewBuilder content: () -> Content) {}
}

public struct Changed<Content: View>: View {
    public var body: Never { fatalError("nothing is shown") }  // compiled, never run
}

extension View {
    public func onOpenURL(perform action: @escaping (URL) -> Void) -> Changed<Self> { Changed() }
}

@MainActor
@preconcurrency
@propertyWrapper
public struct UIApplicationDelegateAdaptor<DelegateType: NSObject & UIApplicationDelegate> {
    public let wrappedValue: DelegateType
    public init(_ delegateType: DelegateType.Type = DelegateType.self) { fatalError("nothing is run") }  // as above
}
