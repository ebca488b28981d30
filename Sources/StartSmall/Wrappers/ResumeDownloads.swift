extension Wrapper {
    /// Wrapper that has a server go on where a download to a file broke off, when the call is tried again.
    ///
    /// What was already written is not sent again: `Range` asks for the rest, and `If-Range` for all of it if it is
    /// another version by now (RFC 9110 13.1.5 and 14.2). Only a strong entity tag is good enough for that; without one,
    /// or with a payload that came compressed, the file is written anew. A server that says that there is no such rest
    /// (416) is asked for all.
    ///
    /// - Unchanged when: nothing was written yet, or the input has a `Range` of its own.
    /// - Order: inside of what tries again.
    public static func resumeDownloads() -> Wrapper {
        Wrapper { input, next in
            guard !input.headers.contains("Range"), let resumption = input.destination.receiver?.resumption() else {
                return await next(input)
            }
            var rest = input
            rest.headers.set("Range", to: "bytes=\(resumption.offset)-")
            rest.headers.set("If-Range", to: resumption.validator)
            let output = await next(rest)
            guard output.response?.statusCode == .rangeNotSatisfiable else { return output }
            return await next(input)
        }
    }
}
