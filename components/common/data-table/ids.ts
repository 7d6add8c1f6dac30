/** The key of the IDs in the cells of a table, which are hidden like a column. */
export const IDS = "ids";
