import Dispatch
import StartSmallCore
import StartSmallSupport
public import StartSmallFoundation

extension TokenStore {
    /// The default time to wait for another process: 60 seconds, the default of `URLSession` for one request.
    @usableFromInline static let defaultWait = Duration.seconds(60)

    /// Creates a store in a file for the user of the process alone; its functions throw ``TokenStoreError``.
    ///
    /// - The file has the mode 0600 from its first byte on, and is replaced as a whole: a process that ends at any
    ///   moment leaves the old token or the new one. The token in it is not encrypted.
    /// - Several processes may use it: one of them refreshes, and the others take its token. Two empty files stay beside
    ///   it for that, `.NAME.refresh.lock` and `.NAME.save.lock`, which are locked (`flock`).
    /// - Each call reads the file.
    ///
    /// - Parameters:
    ///   - url: the file URL. Its folder belongs to the user, and no other one may write to it; a missing one is created
    ///     with the mode 0700. A file system without locks is an error.
    ///   - wait: the time for which a refresh waits for that of another process; 60 seconds by default.
    ///   - clock: the clock that measures the wait.
    public static func file(
        at url: URL,
        waitingFor wait: Duration = defaultWait,
        clock: some Clock<Duration> = ContinuousClock()
    ) -> TokenStore {
        let file = TokenFile(place: url, wait: wait, time: clock.timeSinceNow()) { try await clock.sleep(for: $0) }
        return TokenStore(
            load: { try file.load() },
            save: { token in try await file.locked("save") { try await file.save(token) } },
            replace: { old, new in
                try await file.locked("save") {
                    guard AccessToken.isSame(try file.load(), old) else { return false }
                    try await file.save(new)
                    return true
                }
            },
            exclusively: { refresh in try await file.locked("refresh") { await refresh() } }
        )
    }
}

/// The reason why a store could not load or save a token; no case contains a credential.
public enum TokenStoreError: Error, Hashable, Sendable {
    /// Others may read the file, or write to its folder, or one of them belongs to another user.
    case openToOthers

    /// The stored bytes are no token in JSON.
    case notAToken

    /// The token to save has more bytes than this.
    case larger(than: Int)

    /// Another process refreshed or saved for longer than this.
    case locked(Duration)

    /// The system refused, for the reason that the text says.
    case system(String)

    /// The last error of the system (`errno`).
    fileprivate static var last: TokenStoreError { .system(String(cString: strerror(errno))) }
}

extension AccessToken {
    /// Reads a stored token; throws ``TokenStoreError/notAToken``, since the error of a decoder may show a part of it.
    init(stored data: Data) throws {
        guard let token = try? JSONDecoder().decode(AccessToken.self, from: data) else {
            throw TokenStoreError.notAToken
        }
        self = token
    }
}

/// A file with a token, and the files whose locks exclude other processes.
private struct TokenFile: Sendable {
    let place: URL
    let wait: Duration
    let time: @Sendable () -> Duration
    let sleep: @Sendable (Duration) async throws -> Void

    /// To write to the disk takes milliseconds, for which no thread of Swift's pool waits.
    private static let queue = DispatchQueue(label: "StartSmallAuth.file")

    /// The time between two looks at a lock: 20 ms, little beside a request, and no load for the machine.
    private static let pause = Duration.milliseconds(20)

    /// The maximum size of the file in bytes: 64 KiB, as of a JSON Web Token.
    private static let maximumSize: off_t = 64 * 1024

    /// The permissions that others must not have: none in the file, and no writing in its folder.
    private static let (permissions, writing): (mode_t, mode_t) = (0o077, 0o022)

    private static let flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC

    func load() throws -> AccessToken? {
        let descriptor = open(try path(), O_RDONLY | Self.flags)
        if descriptor < 0, errno == ENOENT { return nil }
        let (file, size) = try checked(descriptor, S_IFREG, without: Self.permissions)
        guard (0...Self.maximumSize).contains(size) else { throw TokenStoreError.notAToken }
        var data = Data(count: Int(size))
        // The file is replaced, and never changed: all of it is read at once.
        let count = data.withUnsafeMutableBytes { pread(file.descriptor, into: $0, from: 0) }
        if count != data.count { throw TokenStoreError.notAToken }
        return try AccessToken(stored: data)
    }

    func save(_ token: AccessToken?) async throws {
        guard let token else {
            if unlink(try path()) != 0, errno != ENOENT { throw TokenStoreError.last }
            return
        }
        let data = try JSONEncoder.sortingKeys.encode(token)
        guard data.count <= Self.maximumSize else { throw TokenStoreError.larger(than: Int(Self.maximumSize)) }
        do {
            try await Self.queue.result { [place] in
                var part = try PartialFile(beside: place, isPrivate: true)
                do {
                    try part.append(data)
                    try part.commit(to: place)
                } catch {
                    part.discard()
                    throw error
                }
            }
        } catch {
            throw TokenStoreError.system(SystemErrorText.text(of: error))
        }
    }

    /// Runs a function while no other process, and no other store of this one, has the lock of this name.
    func locked<Result>(_ name: String, _ body: () async throws -> Result) async throws -> Result {
        _ = try path()
        let folder = place.deletingLastPathComponent()
        let mode = [FileAttributeKey.posixPermissions: 0o700]
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: mode)
        _ = try checked(open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), S_IFDIR, without: Self.writing)
        let path = folder.appendingPathComponent(".\(place.lastPathComponent).\(name).lock").path
        let (file, _) = try checked(open(path, O_RDWR | O_CREAT | Self.flags, 0o600), S_IFREG, without: Self.writing)
        let end = time() + min(wait, .maximumWait)
        while !file.lock() {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw TokenStoreError.last }
            if time() >= end { throw TokenStoreError.locked(wait) }
            try await sleep(Self.pause)
        }
        defer { try? file.finish() }
        return try await body()
    }

    /// Returns the path; the system would read it up to a NUL only, which names another file.
    private func path() throws -> String {
        let path = place.path(percentEncoded: false)
        guard place.isFileURL, !path.utf8.contains(0) else { throw TokenStoreError.system("not a file URL") }
        return path
    }

    /// Takes a descriptor, and returns its file if that is of a kind, the user's own, and closed to others.
    private func checked(
        _ descriptor: Int32,
        _ kind: mode_t,
        without permissions: mode_t
    ) throws -> (WritableFile, size: off_t) {
        guard descriptor >= 0 else { throw TokenStoreError.last }
        let file = WritableFile(descriptor)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == kind else {
            throw TokenStoreError.system("not a regular file")
        }
        guard status.st_uid == geteuid(), status.st_mode & permissions == 0 else { throw TokenStoreError.openToOthers }
        return (file, status.st_size)
    }
}

extension DispatchQueue {
    func result<Value: Sendable>(of body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedContinuation { continuation in
            async { continuation.resume(returning: Result { try body() }) }
        }.get()
    }
}
