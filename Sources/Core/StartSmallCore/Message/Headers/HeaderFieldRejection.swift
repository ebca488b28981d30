import StartSmallSupport

extension HTTPHeaders.Field {
    /// The reason why the field would break a message, without credentials; nil if it would not.
    package var rejectionReason: String? {
        if !HTTPToken.isToken(name) {
            return "the name is not a token (RFC 9110 5.1): \"\(Redaction.standard.shown(name: name))\""
        }
        if !HTTPToken.isFieldValue(value) { return "a control character in the value of \(name) (RFC 9110 5.5)" }
        return nil
    }
}
