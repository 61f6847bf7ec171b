// Swift Testing's overlay for UIKit is declared on Linux too, but its module is not there.
@_exported public import UIKit
