/** The decoded query of a page, as Next provides it. A repeated name has an array of values. */
export type SearchParams = Record<string, string | string[] | undefined>;

/** The props of a page without path parameters. */
export type QueryPageProps = { searchParams: Promise<SearchParams> };
