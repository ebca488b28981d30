// `URLSession` and its configuration, a parameter of the engine.

@_exported public import Foundation

#if CORELIBS_URLSESSION
    @_exported public import FoundationNetworking
#endif

// The options of connections, which `.urlSession(options:)` takes.
@_exported public import StartSmallEngines
