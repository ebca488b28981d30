extension Endpoint {
    /// The same endpoint, but a payload of none of these media types is ``TransformError/malformedData(_:debugInfo:)``, as
    /// where a proxy answers with a page of HTML and status 200.
    ///
    /// ```swift
    /// Endpoint.data(.get("https://api.example.com/logo")).expecting("image/png", "image/svg+xml")
    /// ```
    ///
    /// The types may be ranges such as `image/*`. Unless the request has an `Accept`, it gets one that names them. A response
    /// without `Content-Type` is refused too, unless its payload is empty; what is refused for another reason stays so. Of a
    /// download, what is refused does not become the file.
    ///
    /// It judges whatever the endpoint takes for a value so far, so it stands in front of `recover` and `ifNoneMatch`: behind
    /// them, a 404 with a page of HTML that means an empty list would be refused for its page.
    public func expecting<Problem>(
        _ mediaTypes: MediaType...
    ) -> Endpoint where Failure == TransformError<Problem> {
        let accept = mediaTypes.map(\.rawValue).joined(separator: ", ")
        let isFile = input.right?.destination.isFile ?? false
        let input = input.map { input in
            input.with {
                $0.headers.setIfAbsent("Accept", to: accept)
                if isFile { $0.fileTypes.append(mediaTypes) }
            }
        }
        return Endpoint(input) { [read] response in
            let (value, event) = read(response)
            switch value {
            case .left(.problem), .left(.unexpectedStatusCode), .left(.invalid): return (value, event)
            case .left(.malformedData), .right:
                guard !response.isNothing(ofFile: isFile),
                    let rejectionReason = response.rejectionReason(expecting: mediaTypes)
                else { return (value, event) }
                let failure = TransformError<Problem>.malformedData(response, debugInfo: rejectionReason)
                return (.left(failure), failure.event)
            }
        }
    }
}
