/// <reference types="next/image-types/global" />

/** The content of a file: see `turbopack.rules` in next.config.ts; Vite does the same. */
declare module "*?raw" {
  const content: string;
  export default content;
}
