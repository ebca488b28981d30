import StartSmallFoundation

/// The text of an error of a file, for people.
package enum SystemErrorText {
    /// Returns the text of the system's error where there is one, such as `No such file or directory`.
    ///
    /// Foundation describes its errors by domain and code, with the paths of the files.
    package static func text(of error: any Error) -> String {
        var cause: (any Error)? = error
        while let error = cause {
            if let error = error as? POSIXError { return String(cString: strerror(error.code.rawValue)) }
            cause = (error as? CocoaError)?.underlying
        }
        return (error as? CocoaError).map { "error \($0.code.rawValue) of Foundation" } ?? "\(error)"
    }
}
