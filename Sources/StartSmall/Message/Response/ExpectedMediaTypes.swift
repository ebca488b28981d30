extension Response {
    /// Returns whether the response has nothing that could be of a media type.
    ///
    /// - Parameter isFile: whether the payload goes into a file, so that it is not in memory.
    func isNothing(ofFile isFile: Bool) -> Bool {
        if isFile, statusCode.isWithoutContent { return true }
        return contentType == nil && payload.isEmpty && (!isFile || headers["Content-Length"]?.isSame(as: "0") == true)
    }

    /// Returns the reason why the payload is of none of these media types; nil if it is of one of them.
    ///
    /// The destination of the payload does not matter.
    func rejectionReason(expecting mediaTypes: [MediaType]) -> String? {
        if let contentType, mediaTypes.contains(where: { $0.contains(contentType) }) { return nil }
        let expected = mediaTypes.map(\.rawValue).joined(separator: " or ")
        return "\(contentType?.rawValue ?? "no Content-Type") where \(expected) is expected".onOneLine
    }
}
