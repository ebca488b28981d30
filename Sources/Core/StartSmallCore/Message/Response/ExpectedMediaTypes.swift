extension Response {
    /// Whether the response has nothing that could be of a media type.
    var isNothing: Bool {
        switch content {
        case .data(let data): contentType == nil && data.isEmpty
        case .file(let file): statusCode.isWithoutContent || contentType == nil && file.size == 0
        case .body: false
        }
    }

    /// Returns the reason why the payload is of none of these media types; nil if it is of one of them.
    package func rejectionReason(expecting mediaTypes: [MediaType]) -> String? {
        if let contentType, mediaTypes.contains(where: { $0.contains(contentType) }) { return nil }
        let expected = mediaTypes.map(\.rawValue).joined(separator: " or ")
        return "\(contentType?.rawValue ?? "no Content-Type") where \(expected) is expected".onOneLine
    }
}
