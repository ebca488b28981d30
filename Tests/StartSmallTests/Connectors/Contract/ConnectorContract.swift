import Testing

/// What every engine has to do: one suite that runs over all of ``EngineUnderTest/all``.
///
/// One test at a time: a `URLSession` on Linux shares one queue with all others, and some of these tests fill it.
@Suite(.serialized, .timeLimit(.minutes(1))) enum ConnectorContract {}
