public import StartSmallFoundation
import Synchronization

/// A file with the cookies of a jar, which several processes may share.
///
/// ```swift
/// let file = CookieFile(at: url)
/// try file.load(into: jar)
/// try file.save(jar)
/// ```
///
/// The file is JSON, a ``CookieSnapshot``; only its owner can read it (mode 0600). It is replaced at once: a process
/// that ends while it saves leaves the old file. A lock in a file beside it, `FILE.lock`, keeps two savings apart; it
/// stays, and is empty. Copies share what was loaded and saved last.
///
/// A file that is a symbolic link, that belongs to another user, or that is open to others, is neither read nor
/// replaced; nor is one with such a lock. Symbolic links may lead to its folder.
public struct CookieFile: Sendable {
    /// The location of the file.
    public let url: URL

    /// Whether session cookies are saved, too.
    public let includesSession: Bool

    private let last = LastCookies()

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
        let snapshot = try read()
        jar.merge(snapshot)
        // What the jar does not take is not a removal: another process, with other limits or suffixes, may keep it.
        let taken = Set(jar.cookies.map(\.key))
        last.cookies.withLock { $0 = snapshot.cookies.filter { taken.contains($0.key) } }
    }

    /// Saves the cookies of a jar, together with what other processes have saved since the last load or save.
    ///
    /// A cookie that this jar has removed is removed from the file, and one that it has set or changed replaces the
    /// other. In any other case, the cookie of the file stays, or stays removed. The jar itself does not change.
    ///
    /// - Throws: the reason why the file can't be read or written; the file is then unchanged.
    public func save(_ jar: CookieJar) throws(CookieFileError) {
        // Within the lock, so that of two savings of this process the later one has the later cookies.
        try last.cookies.withLock { last throws(CookieFileError) in
            let (own, now) = (jar.snapshot(includingSession: includesSession).cookies, jar.now())
            try PrivateFile.withLock(besides: path) { () throws(CookieFileError) in
                let merged = try read().cookies.merged(from: last, to: own).filter { !$0.isExpired(at: now) }
                try write(CookieSnapshot(merged.mostRecentlyUsed(jar.policy.maximumTotal)))
            }
            last = own
        }
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

    private final class LastCookies: Sendable {
        let cookies = Mutex<[Cookie]>([])
    }
}

extension [Cookie] {
    func merged(from base: [Cookie], to own: [Cookie]) -> [Cookie] {
        let (base, own) = (base.byKey, own.byKey)
        var merged = byKey
        for key in base.keys where own[key] == nil { merged[key] = nil }
        for (key, cookie) in own {
            let isUnchanged = base[key]?.hasSameContent(as: cookie) == true
            if !isUnchanged || merged[key]?.hasSameContent(as: cookie) == true { merged[key] = cookie }
        }
        return merged.values.sorted { ($0.createdAt, $0.name, $0.path) < ($1.createdAt, $1.name, $1.path) }
    }

    private var byKey: [CookieKey: Cookie] {
        Dictionary(map { ($0.key, $0) }) { _, last in last }
    }
}

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
