import Testing

/// The requirements of every engine: one suite that runs over all of ``EngineUnderTest/all``.
///
/// The tests run one at a time: a `URLSession` on Linux shares one queue with all others, and some of these tests fill
/// it.
@Suite(.serialized, .timeLimit(.minutes(1))) enum ConnectorContract {}
