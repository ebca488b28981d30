/// Segments that lead elsewhere (RFC 3986 3.3).
extension URIEncoding {
    /// Whether a segment of a path is `.` or `..` to some server: also where the dots or the slashes are encoded, where a `\` is
    /// a slash, as to IIS, or where what follows a `;` is none of it, as to Tomcat.
    ///
    /// Told by bytes: a slash with an accent behind it is no slash to `Character`, and a path with a byte that is no UTF-8
    /// is empty to Foundation once it is decoded; servers see through both.
    static func hasDotSegments(_ path: some Sequence<UInt8>) -> Bool {
        let path = Array(path)
        guard path.contains(where: { $0 == UInt8(ascii: ".") || $0 == percent }) else { return false }
        return decoded(path[...]).split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }.contains { segment in
            areDots(segment.prefix { $0 != UInt8(ascii: ";") })
        }
    }

    /// Whether a segment is `.` or `..`.
    static func areDots(_ segment: ArraySlice<UInt8>) -> Bool {
        segment.elementsEqual(".".utf8) || segment.elementsEqual("..".utf8)
    }
}
