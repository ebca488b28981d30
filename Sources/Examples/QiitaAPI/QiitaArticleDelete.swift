public import StartSmall

extension QiitaArticle {
    /// Returns a call that deletes an article: `DELETE /api/v2/items/{item_id}`.
    ///
    /// The response has the status 204 and no payload.
    ///
    /// The call needs a token with the scope `write_qiita`.
    ///
    /// <https://qiita.com/api/v2/docs#delete-apiv2itemsitem_id>
    public static func delete(id: String) -> Endpoint<QiitaError, Void> {
        .empty(.delete("https://qiita.com/api/v2/items/{id}", ["id": id]), problem: QiitaProblem.self)
    }
}
