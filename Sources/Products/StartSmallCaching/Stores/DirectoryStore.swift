import Dispatch
public import StartSmallFoundation

extension CacheStore {
    /// The default limit of a cache directory: 50 MiB.
    ///
    /// Enough for some ten thousand responses of an API, each of which takes at least a block of 4 KiB, and little
    /// for the disk of a device.
    @usableFromInline static let defaultDirectoryLimit = 50 * 1024 * 1024

    /// Returns a store in a directory, which several processes may use at the same time.
    ///
    /// ```swift
    /// let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)[0]
    /// let store = CacheStore.directory(caches.appending(path: "com.example.api"))
    /// ```
    ///
    /// - A process that ends at any moment leaves each response as it was, or as it is now. A response is stored when its
    ///   bytes are on the disk (`fsync`).
    /// - A file that is not whole, of another version, a symbolic link, of another user, or open to others is a miss, and
    ///   is removed. Files with other names are never touched.
    /// - A directory that can't be used, that is a symbolic link, that belongs to another user, or that others may write
    ///   to, makes each call a miss, and no error. Symbolic links may lead to its parent.
    /// - Files are readable only by their user (mode 0600, in folders of mode 0700). **The responses themselves are not
    ///   encrypted**; URLs and credentials of requests are on the disk as digests only.
    ///
    /// - Parameters:
    ///   - url: the file URL of the directory, which is created with the first response. Its parent should belong to
    ///     the user of the process alone.
    ///   - limit: the maximum size of all files in bytes, each counted in blocks of 4 KiB; 50 MiB by default, and at
    ///     least 64 KiB to store anything. Above three quarters of it, the least recently used responses are removed. A
    ///     response that takes more than a sixteenth is not stored. Up to four processes stay within the limit; each
    ///     further one can exceed it by a sixteenth.
    ///   - now: returns the time of the last use of a response.
    ///   - random: returns random bits, for the names of unfinished files.
    public static func directory(
        _ url: URL,
        limit: Int = defaultDirectoryLimit,
        now: @escaping @Sendable () -> Date = { Date() },
        random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }
    ) -> CacheStore {
        let path = url.path(percentEncoded: false)
        // The system's functions read a path only up to a NUL, which would name another directory.
        guard url.isFileURL, !path.isEmpty, !path.utf8.contains(0) else { return .nothing }
        let cache = DirectoryCache(path: path, limit: limit, now: now, random: random)
        let writes = DispatchQueue(label: "StartSmallCaching.directory.writes")
        let largeReads = DispatchQueue(label: "StartSmallCaching.directory.reads", attributes: .concurrent)
        return CacheStore(
            responses: { key in
                if let responses = cache.responses(of: key, upTo: largestReadInline) { return responses }
                return await largeReads.result { cache.responses(of: key) ?? [] }
            },
            store: { stored, key in try await writes.result { Result { try cache.store(stored, key) } }.get() },
            remove: { url in try await writes.result { Result { try cache.remove(url: url) } }.get() }
        )
    }

    /// The size up to which a file is read on the thread of the call: 64 KiB.
    ///
    /// Reading and checking that many bytes takes no longer than the two switches of threads that it saves, and does
    /// not block a thread of Swift's pool for long.
    private static let largestReadInline = 64 * 1024

    /// The maximum number of responses to one URL and identity that differ in their variants.
    ///
    /// All of them are read in each hit. A resource that varies with the language or the format has fewer.
    static let maximumStoredVariants = 8

    private static let nothing = CacheStore(responses: { _ in [] }, store: { _, _ in }, remove: { _ in })
}

extension DispatchQueue {
    fileprivate func result<Result: Sendable>(of body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            async { continuation.resume(returning: body()) }
        }
    }
}
