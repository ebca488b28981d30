// The exchanges of cassettes and their redaction, which a HAR of an app has as well.
@_exported public import StartSmallDiagnostics
