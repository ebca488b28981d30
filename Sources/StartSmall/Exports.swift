// What nearly every file of an app needs besides the wrappers of this module: the values and functions of the core,
// header fields and policies of retries, the engine of the platform, and `URL`, `Data` and `Date`.

@_exported public import StartSmallCore
@_exported public import StartSmallHeaders
@_exported public import StartSmallRetry

#if canImport(Darwin) || APPLE_BRANCH
    @_exported public import Foundation
#else
    @_exported public import FoundationEssentials
#endif

#if CURL_ENGINE
    @_exported public import StartSmallCurl
#else
    @_exported public import StartSmallURLSession
#endif
