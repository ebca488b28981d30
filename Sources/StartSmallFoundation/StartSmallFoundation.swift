// The part of Foundation that every platform has, and the C library: nothing else.
//
// On Linux that is FoundationEssentials, so that an app does not link the rest of Foundation, whose tables of languages
// alone take 40 MB. Elsewhere Foundation is a part of the system.

#if canImport(FoundationEssentials) && !APPLE_BRANCH
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif

#if canImport(Glibc)
    @_exported public import Glibc
#elseif canImport(Musl)
    @_exported public import Musl
#elseif canImport(Android)
    @_exported public import Android
#elseif canImport(Darwin)
    @_exported public import Darwin
#endif
