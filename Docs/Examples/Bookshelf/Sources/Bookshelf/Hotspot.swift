import StartSmall

/// The login page of a hotspot, in place of a response of the API, which has no pages.
struct HotspotAnswered: Refusal {
    let name = "hotspotAnswered"
    let reason = "a page of HTML, perhaps of a hotspot, in place of a response of the API"
    var isTransient: Bool { true }
    var fault: ConnectionError.Fault { .network }
}

extension Wrapper {
    static let refusingHotspots = Wrapper("refusingHotspots") { input, next in
        let output = await next(input)
        // A proxy of the API answers with pages, too, but not with a success.
        guard let response = output.response, response.contentType?.essence == "text/html",
            response.statusCode.isSuccess || response.statusCode == .networkAuthenticationRequired
        else { return output }
        return .noResponse(.refused(HotspotAnswered(), after: response))
    }
}
