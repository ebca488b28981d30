// The exchanges of cassettes and their redaction, which a HAR of an app has as well.
@_exported public import struct StartSmallDiagnostics.CassetteRedaction
@_exported public import struct StartSmallDiagnostics.Exchange
@_exported public import struct StartSmallDiagnostics.RecordedFailure
@_exported public import struct StartSmallDiagnostics.RecordedRefusal
