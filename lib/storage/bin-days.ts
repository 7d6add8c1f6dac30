/** How long a deleted release can be restored. */
export const BIN_DAYS = 7;
