// What of SwiftUI the guide uses, by name and type. Apple's `App` and `Scene` are for iOS 14 and later.
public import Foundation
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

@available(iOS 14.0, tvOS 14.0, *)
@MainActor
@preconcurrency
public protocol Scene {}

@available(iOS 14.0, tvOS 14.0, *)
@resultBuilder
public struct SceneBuilder {
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

@available(iOS 14.0, tvOS 14.0, *)
@MainActor
@preconcurrency
public protocol App {
    associatedtype Body: Scene
    @SceneBuilder var body: Body { get }
    init()
}

@available(iOS 14.0, tvOS 14.0, *)
extension App {
    public static func main() {}
}

@available(iOS 14.0, tvOS 14.0, *)
public struct WindowGroup<Content: View>: Scene {
    public init(@ViewBuilder content: () -> Content) {}
}

public struct Changed<Content: View>: View {
    public var body: Never { fatalError("nothing is shown") }  // compiled, never run
}

extension View {
    @available(iOS 14.0, tvOS 14.0, *)
    public func onOpenURL(perform action: @escaping (URL) -> Void) -> Changed<Self> { Changed() }
}

@available(iOS 14.0, tvOS 14.0, *)
@MainActor
@preconcurrency
@propertyWrapper
public struct UIApplicationDelegateAdaptor<DelegateType: NSObject & UIApplicationDelegate> {
    public let wrappedValue: DelegateType
    public init(_ delegateType: DelegateType.Type = DelegateType.self) { fatalError("nothing is run") }  // as above
}

@MainActor
@preconcurrency
public protocol UIViewRepresentable: View where Body == Never {
    associatedtype UIViewType: UIView
    typealias Context = UIViewRepresentableContext<Self>
    func makeUIView(context: Context) -> UIViewType
    func updateUIView(_ uiView: UIViewType, context: Context)
}

extension UIViewRepresentable {
    public var body: Never { fatalError("nothing is shown") }  // as above
}

public struct UIViewRepresentableContext<Representable: UIViewRepresentable> {}
