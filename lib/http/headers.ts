/** What every answer of the API says to a browser that opens it: to guess at nothing, to run nothing, to frame nothing. */
export const API_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
};
