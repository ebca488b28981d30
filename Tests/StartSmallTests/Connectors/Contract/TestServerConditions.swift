import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A header field for scripts whose client must receive a payload of a few bytes before the rest is sent.
///
/// `URLSession` on Apple platforms holds back the first 512 bytes, to guess the type of a payload, unless it is JSON.
let unsniffed = "Content-Type: application/json\r\n"

/// The limit of open descriptors of this process.
enum DescriptorLimit {
    /// Two for each of 2,000 connections, as client and server are one process, and as many for everything else.
    private static let wanted: rlim_t = 8_192

    /// Raises the limit, once: macOS gives a process 256 descriptors unless it asks for more.
    static let raised: Void = {
        #if canImport(Glibc)
            let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let descriptors = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(descriptors, &limit) == 0, limit.rlim_cur < wanted else { return }
        limit.rlim_cur = min(wanted, limit.rlim_max)
        setrlimit(descriptors, &limit)
    }()
}
