extension Response {
    /// Whether there is nothing that could be of a media type: in memory, or where all else went into a file.
    func isNothing(ofFile isFile: Bool) -> Bool {
        if isFile, statusCode.isWithoutContent { return true }
        return contentType == nil && payload.isEmpty && (!isFile || headers["Content-Length"] == "0")
    }

    /// Why the payload is of none of these media types, or nil if it is, wherever it goes.
    func rejectionReason(expecting mediaTypes: [MediaType]) -> String? {
        if let contentType, mediaTypes.contains(where: { $0.contains(contentType) }) { return nil }
        let expected = mediaTypes.map(\.rawValue).joined(separator: " or ")
        return "\(contentType?.rawValue ?? "no Content-Type") where \(expected) is expected".onOneLine
    }
}
