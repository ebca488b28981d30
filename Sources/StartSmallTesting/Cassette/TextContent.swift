import Foundation
import StartSmall

/// All texts of a message in UTF-8, and its non-text bytes.
struct TextContent {
    var texts: [[UInt8]] = []
    var bytes: [[UInt8]] = []
}

extension Exchange {
    /// The content of the exchange.
    var content: TextContent { TextContent { _ = changed(by: $0) } }
}

extension Input {
    /// The content of the request.
    var content: TextContent { TextContent { _ = changed(by: $0) } }
}

extension TextContent {
    /// Creates a content from all texts that a change receives.
    fileprivate init(_ show: (ExchangeChange) -> Void) {
        var content = TextContent()
        let look = { (text: String) in
            content.texts.append(Array(text.utf8))
            return text
        }
        show(
            ExchangeChange(
                url: look,
                field: { look($0.value) },
                payload: { payload in
                    let text = payload.text
                    if let text { content.texts.append(Array(text.text.utf8)) }
                    if !payload.isPlain(text) { content.bytes.append(Array(payload.data)) }
                    return payload.data
                },
                word: look,
                name: look
            )
        )
        self = content
    }
}
