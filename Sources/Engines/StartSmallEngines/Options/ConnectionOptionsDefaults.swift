import StartSmallFoundation

/// The defaults, each with its reason.
extension ConnectionOptions {
    /// The default time limit for a connection: 15 seconds.
    ///
    /// Long enough for three lost SYN segments (resent after 1, 3 and 7 seconds, RFC 6298 2.1 and 5.5), and no longer
    /// than ``defaultIdleTimeout``. libcurl's own default, 300 seconds, is longer than any user waits.
    @usableFromInline static let defaultConnectTimeout = Duration.seconds(15)

    /// The time limit between two bytes in a call without a time limit: 15 seconds, as for a call in AbstractHTTP.
    ///
    /// Long enough for a slow answer, and short enough that the user still waits. `URLSession` itself waits for 60
    /// seconds.
    static let defaultIdleTimeout = Duration.seconds(15)

    /// The default number of connections to one host: 64.
    ///
    /// RFC 9112 9.4 asks for a limit and names none. libcurl is fastest with 64 on two cores, and 64 is far below what
    /// servers allow for one client (nginx: 512 connections per worker in total).
    @usableFromInline package static let defaultMaxConnectionsPerHost = 64

    /// The default number of connections to all hosts: 256.
    ///
    /// That is a quarter of the 1,024 descriptors that Linux gives a process by default.
    @usableFromInline package static let defaultMaxConnections = 256

    /// The default time for which an unused connection is kept: 60 seconds.
    ///
    /// The idle timeout of AWS load balancers is the same, and that of nginx is longer (75 seconds). A connection that
    /// the server has closed meanwhile delays a request, or makes it fail.
    @usableFromInline static let defaultIdleConnectionAge = Duration.seconds(60)

    /// The default time for which a connection is used: 10 minutes.
    ///
    /// After that time, a host that has moved is found at its new address, and the revocation of a certificate is
    /// checked again.
    @usableFromInline static let defaultConnectionLifetime = Duration.seconds(600)

    /// The time without a byte after which a shared connection counts as silent: 3 seconds.
    ///
    /// Long enough for two lost packets (resent after 1 and 3 seconds, RFC 6298 2.1 and 5.5). If the server is only
    /// slow, the cost is one more connection.
    static let defaultSilence = Duration.seconds(3)
}
