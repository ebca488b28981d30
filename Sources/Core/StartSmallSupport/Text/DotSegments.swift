/// Dot segments of paths (RFC 3986 3.3).
extension URIEncoding {
    /// Returns whether a segment of a path is `.` or `..` for some server.
    ///
    /// This includes encoded dots or slashes, a `\` that is a slash for IIS, and a `;` that ends the segment for
    /// Tomcat.
    ///
    /// The check uses bytes: a slash with a combining accent is no slash for `Character`, and Foundation decodes a path
    /// with a byte that is not UTF-8 to an empty one. Servers recognize the segments in both.
    package static func hasDotSegments(_ path: ArraySlice<UInt8>) -> Bool {
        guard path.contains(where: mayBeDot) else { return false }
        return decoded(path).split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }.contains { segment in
            areDots(segment.prefix { $0 != UInt8(ascii: ";") })
        }
    }

    /// Returns whether a segment of a path is `.` or `..` for some server; a path that has no dot is not copied.
    package static func hasDotSegments(_ path: Substring.UTF8View) -> Bool {
        path.contains(where: mayBeDot) && hasDotSegments(Array(path)[...])
    }

    private static func mayBeDot(_ byte: UInt8) -> Bool { byte == UInt8(ascii: ".") || byte == percent }

    /// Returns whether a segment is `.` or `..`.
    package static func areDots(_ segment: ArraySlice<UInt8>) -> Bool {
        segment.elementsEqual(".".utf8) || segment.elementsEqual("..".utf8)
    }
}
