#if os(Linux)
    import CCurl

    /// Requests whose payload is produced while it is sent.
    extension CurlLoop {
        /// Resumes the sending of a request whose stream had no bytes.
        mutating func resumeSending(_ slot: Int) {
            guard let entry = running[slot], !entry.isAnswered else { return }
            // Also if the bytes have been sent meanwhile: the last check passed over the call while it was starved.
            if let limit = idleLimit { nextDue = min(nextDue, now + limit) }
            if !entry.transfer.handle.pointee.is_starved { return }
            // A result other than 0 means that the transfer is over already: libcurl reports its outcome next.
            _ = ccurl_transfer_resume_sending(entry.transfer.handle)
        }
    }

    extension CurlEngine {
        /// Returns the production of the stream of a call, whose end the caller must bring about.
        ///
        /// - Parameters:
        ///   - stream: the stream.
        ///   - id: the number of the call.
        /// - Throws: the error of a stream that should be empty: libcurl never asks for the bytes of an empty payload.
        func production(of stream: PayloadStream, _ id: UInt64) async throws(ConnectionError) -> PayloadProduction {
            if stream.length == 0, let failure = await stream.failureOfNothing() { throw failure }
            return PayloadProduction(stream) { sendProduced(id, in: $0) }
        }
    }
#endif
