// The templates of URLs, which the builders take.
@_exported public import StartSmallTemplates
