public import Foundation

/// The defaults, each with its reason.
extension ConnectionOptions {
    /// The default time limit for a connection: 15 seconds.
    ///
    /// Long enough for three lost SYN (sent anew after 1, 3 and 7 seconds, RFC 6298 2.1 and 5.5), and no longer than
    /// ``defaultIdleTimeout``; libcurl's own 300 outlast every user.
    public static let defaultConnectTimeout = Duration.seconds(15)

    /// The default time limit between two bytes: 15 seconds, what AbstractHTTP gives a call.
    ///
    /// Enough for a slow answer, short enough that someone still waits. `URLSession` itself waits for 60.
    public static let defaultIdleTimeout = Duration.seconds(15)

    /// The default number of connections to one host: 64.
    ///
    /// RFC 9112 9.4 asks for a limit and names none. 64 is where libcurl is at its fastest on two cores, and far
    /// below what servers give one client (nginx: 512 connections a worker in all).
    public static let defaultMaxConnectionsPerHost = 64

    /// The default number of connections to all hosts: 256, a quarter of the 1,024 descriptors that Linux gives a
    /// process by default.
    public static let defaultMaxConnections = 256

    /// The default time for which an unused connection is kept: 60 seconds.
    ///
    /// The idle timeout of AWS load balancers, below that of nginx (75): a connection that the server has closed
    /// meanwhile costs a request its time, or its life.
    public static let defaultIdleConnectionAge = Duration.seconds(60)

    /// The default time for which a connection is used: 10 minutes, so that a host that has moved is found by its new
    /// address, and a certificate that was revoked is looked at again.
    public static let defaultConnectionLifetime = Duration.seconds(600)

    /// The default folder for copies of uploads: the system's folder for temporary files.
    public static var defaultUploadFolder: URL { FileManager.default.temporaryDirectory }
}
