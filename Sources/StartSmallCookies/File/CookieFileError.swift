/// The reason why a file of cookies can't be read or written; never contains a part of a cookie.
public enum CookieFileError: Error, Hashable, Sendable {
    /// The file can't be read.
    case unreadable(path: String, reason: String)

    /// The file is not a ``CookieSnapshot`` in JSON; it is not replaced either.
    case malformed(path: String)

    /// The file, its folder or its lock can't be written.
    case unwritable(path: String, reason: String)
}

extension CookieFileError: CustomStringConvertible {
    /// The path and the reason on one line.
    public var description: String {
        switch self {
        case .unreadable(let path, let reason): "\(path.onOneLine) can't be read: \(reason)"
        case .malformed(let path): "\(path.onOneLine) is not a file of cookies"
        case .unwritable(let path, let reason): "\(path.onOneLine) can't be written: \(reason)"
        }
    }
}
