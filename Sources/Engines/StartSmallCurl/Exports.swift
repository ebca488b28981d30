// The options of connections, which `.curl(options:)` takes.
@_exported public import StartSmallEngines
