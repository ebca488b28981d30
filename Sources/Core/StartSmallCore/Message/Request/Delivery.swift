public import StartSmallFoundation

/// The form in which the payload of a successful response (2xx) is delivered.
///
/// The payload of any other response stays in memory, for the transform to read.
public enum Delivery: Hashable, Sendable {
    /// The property ``Response/payload``.
    case memory

    // In a box: the size of a URL is known at run time only, and each function with one in it would allocate.
    /// A file, which appears only when it is complete: until then, and after any failure, the existing file stays.
    ///
    /// A success without a payload, such as 204 and 205, creates an empty file, which replaces the existing one. The
    /// transform finds the payload in ``Response/Content/file(_:)``, and a response that it does not accept never
    /// becomes a file. A call without a transform (``WebAPI``) accepts each success. Once the file is on the way to its
    /// place, it is too late to cancel: a call that ends with ``ConnectionError/cancelled`` has left no file.
    ///
    /// Only a regular file, or nothing, is replaced: if the path is that of a device, a pipe, a socket or a folder, or
    /// of a symbolic link to one, the call ends with ``ConnectionError/unwritableDestination(debugInfo:)``. Any other
    /// symbolic link is replaced itself; its target is not.
    ///
    /// With a URL that is not a file URL, the call ends before anything is sent, with
    /// ``ConnectionError/unwritableDestination(debugInfo:)``.
    indirect case file(URL)

    /// The property ``Response/body``, to be read as it arrives.
    ///
    /// A response without a payload has an empty body. An ``Endpoint`` reads the payload into memory: a value needs all
    /// of it.
    case stream

    /// The reason why the file is never writable, independent of the disk; nil if it may be writable.
    var rejection: ConnectionError? {
        guard case .file(let url) = self else { return nil }
        let shown = Redaction.standard.shown(url: url.absoluteString)
        if !url.isFileURL { return .unwritableDestination(debugInfo: "not a file URL: \(shown)") }
        // The system's functions read the path only up to the NUL, which would name another file.
        let hasEnd = url.path(percentEncoded: false).utf8.contains(0)
        return hasEnd ? .unwritableDestination(debugInfo: "a NUL in the path: \(shown)") : nil
    }
}

extension Request {
    /// Whether the whole payload of the response is taken into memory, as by ``Delivery/memory``.
    @inlinable public var staysInMemory: Bool {
        if case .memory = delivery { true } else { false }
    }
}
