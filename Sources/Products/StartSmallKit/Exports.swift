// All products but those for tests and, on Linux, that of URLSession, by one import: for a first try.
//
// An app imports the products that it uses: then a file says what it needs, and the app links nothing else.

@_exported public import StartSmall
@_exported public import StartSmallAuth
@_exported public import StartSmallCaching
@_exported public import StartSmallCookies
@_exported public import StartSmallDiagnostics
@_exported public import StartSmallDownloads
@_exported public import StartSmallForms
@_exported public import StartSmallJSON
@_exported public import StartSmallMetrics
@_exported public import StartSmallModels
@_exported public import StartSmallResilience
@_exported public import StartSmallStreams
