#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Threads that may block, unlike those of Swift's pool.
enum POSIXThread {
    /// Runs a function on a new detached thread; returns false if the system can't create one.
    static func start(stackBytes: Int, _ body: @escaping @Sendable () -> Void) -> Bool {
        let work = UnsafeMutablePointer<@Sendable () -> Void>.allocate(capacity: 1)
        work.initialize(to: body)
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        defer { attributes.deallocate() }
        pthread_attr_init(attributes)
        defer { pthread_attr_destroy(attributes) }
        pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(attributes, stackBytes)
        #if canImport(Glibc)
            var thread = pthread_t()
        #else
            var thread: pthread_t?
        #endif
        let code = pthread_create(&thread, attributes, { POSIXThread.run($0) }, work)
        if code != 0 { take(work) }
        return code == 0
    }

    private static func run(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let work = work?.assumingMemoryBound(to: (@Sendable () -> Void).self) { take(work)() }
        return nil
    }

    @discardableResult
    private static func take(_ work: UnsafeMutablePointer<@Sendable () -> Void>) -> @Sendable () -> Void {
        let body = work.move()
        work.deallocate()
        return body
    }
}
