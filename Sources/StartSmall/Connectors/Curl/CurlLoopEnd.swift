#if os(Linux)
    import CCurl

    /// The end of a loop's thread, and of the process.
    extension CurlLoop {
        /// Ends all calls at the end of the process, since an exit handler may wait for one of them.
        ///
        /// libcurl must not be called any more at that time.
        mutating func endAtExit(_ queue: borrowing CommandQueue) -> Int32? {
            for slot in running.indices {
                running[slot]?.reply?.end(.refused(CurlEngine.exiting), FinalReport())
                running[slot]?.isAnswered = true
            }
            for call in pending.all + router.withLock({ $0.close() }) + queue.close().compactMap(\.startedCall) {
                _ = pending.remove(call.id)
                call.reply.end(.refused(CurlEngine.exiting), FinalReport())
            }
            return nil
        }

        /// Ends the commands and calls for which there is no thread any more.
        ///
        /// If the thread could not wait, the failure may be temporary: the next call starts another thread.
        mutating func endThread(_ queue: borrowing CommandQueue) {
            router.withLock { [index] in $0.threadEnded(index) }
            for call in queue.close().compactMap(\.startedCall) { refuse(call, CurlEngine.noThread) }
            // Further calls may have waited for these.
            while let call = pending.next() { refuse(call, CurlEngine.noThread) }
        }
    }
#endif
