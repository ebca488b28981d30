import Foundation
import StartSmall

/// All texts of a message in UTF-8, and its bytes that are no text.
struct TextContent {
    var texts: [[UInt8]] = []
    var bytes: [[UInt8]] = []
}

extension Exchange {
    /// All that is in it.
    var content: TextContent { TextContent { _ = changed(by: $0) } }
}

extension Input {
    /// All that is in it.
    var content: TextContent { TextContent { _ = changed(by: $0) } }
}

extension TextContent {
    /// Keeps what a change gets to see.
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
