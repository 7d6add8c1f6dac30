import fc from "fast-check";

/** Names as nobody should send them: any Unicode, and much of what has a meaning in headers, paths and file systems. */
export const hostileNames = fc.oneof(
  fc.string({ unit: "binary", maxLength: 400 }),
  fc.string({ unit: "grapheme", maxLength: 400 }),
  fc.string({
    unit: fc.constantFrom(
      ..."\r\n\t\0\"'\\/;:=*%<>|?. a.é€😀\u202e\u200f\u200b\ufeff\u2028אبﷺ\ud800\udc00",
      "..",
      "%0d%0a",
      "filename*=",
      "CON",
      ".apk",
    ),
    maxLength: 300,
  }),
);
