public import StartSmallFoundation

/// A file with the cookies of a jar.
///
/// ```swift
/// let file = CookieFile(at: url)
/// try file.load(into: jar)
/// try file.save(jar)
/// ```
///
/// The file is JSON, a ``CookieSnapshot``; only its owner can read it (mode 0600). It is replaced at once: a process
/// that ends while it saves leaves the old file. Of two processes that save, the later one replaces what the other one
/// has saved.
///
/// A file that is a symbolic link, that belongs to another user, or that is open to others, is neither read nor
/// replaced. Symbolic links may lead to its folder.
public struct CookieFile: Sendable {
    /// The location of the file.
    public let url: URL

    /// Whether session cookies are saved, too.
    public let includesSession: Bool

    /// The maximum size of a file to read, in bytes: several times that of 3000 cookies of 4096 octets.
    static let maximumSize = 64 * 1024 * 1024

    /// Creates a file, without reading it.
    ///
    /// - Parameters:
    ///   - url: the location of the file, in a folder that exists.
    ///   - includingSession: whether session cookies are saved, too, for a session that spans several processes; false
    ///     by default.
    public init(at url: URL, includingSession: Bool = false) {
        (self.url, includesSession) = (url, includingSession)
    }

    /// Adds the cookies of the file to a jar; a missing or an empty file has none.
    ///
    /// - Throws: the reason why the file can't be read; the jar is then unchanged.
    public func load(into jar: CookieJar) throws(CookieFileError) {
        jar.merge(try read())
    }

    /// Saves the cookies of a jar, in place of those in the file.
    ///
    /// - Throws: the reason why the file can't be written, or that it is none of cookies; it is then unchanged.
    public func save(_ jar: CookieJar) throws(CookieFileError) {
        // A file of something else is not replaced.
        _ = try read()
        try write(jar.snapshot(includingSession: includesSession))
    }

    private var path: String { url.path(percentEncoded: false) }

    private func read() throws(CookieFileError) -> CookieSnapshot {
        guard let data = try PrivateFile.read(path, maximum: Self.maximumSize), !data.isEmpty else {
            return CookieSnapshot()
        }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        do {
            return try decoder.decode(CookieSnapshot.self, from: data)
        } catch {
            // The error itself may quote a value.
            throw .malformed(path: path)
        }
    }

    private func write(_ snapshot: CookieSnapshot) throws(CookieFileError) {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        guard let data = try? encoder.encode(snapshot) else {
            throw .unwritable(path: path, reason: "a date is not finite")
        }
        try PrivateFile.replace(path, with: data)
    }
}

/// The reason why a file of cookies can't be read or written; never contains a part of a cookie.
public enum CookieFileError: Error, Hashable, Sendable {
    /// The file can't be read.
    case unreadable(path: String, reason: String)

    /// The file is not a ``CookieSnapshot`` in JSON; it is not replaced either.
    case malformed(path: String)

    /// The file or its folder can't be written.
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
