/** The query of a page as Next gives it: decoded, a list where a name is repeated. */
export type SearchParams = Record<string, string | string[] | undefined>;

/** What a page without path parameters gets. */
export type QueryPageProps = { searchParams: Promise<SearchParams> };
