// What a service extension needs of the contract is a module of its own: whoever takes the whole has both.
@_exported public import MartletWireBase
