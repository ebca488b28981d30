import Foundation

/// The text of an error of a file, for people.
package enum SystemErrorText {
    /// Returns the text of the system's error where there is one, such as `No such file or directory`.
    ///
    /// Foundation describes its errors by domain and code, with the paths of the files.
    package static func text(of error: any Error) -> String {
        // Errors of this package have texts of their own, and a conversion would hide them.
        guard let foundation = known(error) else { return "\(error)" }
        var next: NSError? = foundation
        while let error = next {
            if error.domain == NSPOSIXErrorDomain { return String(cString: strerror(Int32(clamping: error.code))) }
            next = (error.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError }
        }
        return foundation.localizedDescription
    }

    private static func known(_ error: any Error) -> NSError? {
        let isKnown = error is POSIXError || error is CocoaError || type(of: error) is NSError.Type
        return isKnown ? error as NSError : nil
    }
}
