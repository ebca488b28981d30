import StartSmallSupport

extension Endpoint {
    /// Rejects a payload of any other media type as ``TransformError/malformedData(_:debugInfo:)``.
    ///
    /// An example is a proxy that responds with an HTML page and status 200.
    ///
    /// ```swift
    /// Endpoint.data(.get("https://api.example.com/logo")).expecting("image/png", "image/svg+xml")
    /// ```
    ///
    /// The types can be ranges such as `image/*`. If the request has no `Accept` field, the request gets one with these
    /// types. A response without `Content-Type` is rejected too, unless its payload is empty. A response that is
    /// rejected for another reason keeps that reason. A rejected download does not become the file.
    ///
    /// Call `expecting` before `recover` and `ifNoneMatch`, because the values that these produce are checked too. For
    /// example, if `recover` turns a 404 into an empty list, a later `expecting` rejects the 404's HTML page.
    public func expecting<Problem>(
        _ mediaTypes: MediaType...
    ) -> Endpoint where Failure == TransformError<Problem> {
        let accept = mediaTypes.map(\.rawValue).joined(separator: ", ")
        let input = input.map { input in input.with { $0.headers.setIfAbsent("Accept", to: accept) } }
        return Endpoint(input) { [read] response in
            let (value, event) = read(response)
            switch value {
            case .left(.problem), .left(.unexpectedStatusCode), .left(.invalid): return (value, event)
            case .left(.malformedData), .right:
                guard !response.isNothing, let rejectionReason = response.rejectionReason(expecting: mediaTypes) else {
                    return (value, event)
                }
                let kept = response.withoutTransfer
                let failure = TransformError<Problem>.malformedData(kept, debugInfo: rejectionReason)
                return (.left(failure), failure.event)
            }
        }
    }
}

extension Response {
    /// Whether the response has nothing that could be of a media type.
    var isNothing: Bool {
        switch content {
        case .data(let data): contentType == nil && data.isEmpty
        case .file(let file): statusCode.isWithoutContent || contentType == nil && file.size == 0
        case .body, .delivered: false
        }
    }

    /// Returns the reason why the payload is of none of these media types; nil if it is of one of them.
    package func rejectionReason(expecting mediaTypes: [MediaType]) -> String? {
        if let contentType, mediaTypes.contains(where: { $0.contains(contentType) }) { return nil }
        let expected = mediaTypes.map(\.rawValue).joined(separator: " or ")
        return "\(contentType?.rawValue ?? "no Content-Type") where \(expected) is expected".onOneLine
    }
}
