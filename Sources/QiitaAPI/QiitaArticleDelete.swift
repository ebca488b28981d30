public import StartSmall

extension QiitaArticle {
    /// Deletes an article: `DELETE /api/v2/items/{item_id}`, answered with 204 and no payload.
    ///
    /// Needs a token of the scope `write_qiita`.
    ///
    /// <https://qiita.com/api/v2/docs#delete-apiv2itemsitem_id>
    ///
    /// - Parameter id: what the article is called by in the API, see ``id``.
    public static func delete(id: String) -> Endpoint<QiitaError, Void> {
        .empty(.delete("https://qiita.com/api/v2/items/{id}", ["id": id]), problem: QiitaProblem.self)
    }
}
