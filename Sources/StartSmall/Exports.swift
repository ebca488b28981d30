// What nearly every file of an app needs besides the wrappers of this module: the values and functions of the core, the
// engine of the platform, and `URL`, `Data` and `Date`.

@_exported public import StartSmallCore

#if canImport(FoundationEssentials) && !APPLE_BRANCH
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif

#if os(Linux) && !APPLE_BRANCH
    @_exported public import StartSmallCurl
#else
    @_exported public import StartSmallURLSession
#endif
