const svg = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">${content}</svg>`;

const FILTER_STEP =
  '<feTurbulence numOctaves="10"/><feGaussianBlur stdDeviation="50"/><feMorphology operator="dilate" radius="50"/>';

/** An SVG of 287 kB that takes a processor many minutes: thousands of shapes through a filter of 300 steps. */
export function slowSvg(): string {
  const filter = `<filter id="f" x="0" y="0" width="1" height="1">${FILTER_STEP.repeat(100)}</filter>`;
  return svg(filter + '<rect width="512" height="512" fill="red" filter="url(#f)"/>'.repeat(4_600));
}

/** An SVG of 2 kB that draws 8^12 shapes by references. */
export function nestedSvg(): string {
  const levels = Array.from({ length: 12 }, (_, level) => {
    const uses = `<use href="#l${level}"/>`.repeat(8);
    return `<g id="l${level + 1}">${uses}</g>`;
  });
  const shape = '<g id="l0"><rect width="500" height="500" fill="red" opacity=".5"/></g>';
  return svg(`<defs>${shape}${levels.join("")}</defs><use href="#l12"/>`);
}

/** An SVG of 160 kB that takes gigabytes of memory: each of 3,000 filter results is an image of its own. */
export function largeSvg(): string {
  const results = Array.from({ length: 3_000 }, (_, at) => `<feOffset in="SourceGraphic" dx="1" result="r${at}"/>`);
  const filter = `<filter id="f" x="0" y="0" width="1" height="1">${results.join("")}</filter>`;
  return svg(`${filter}<rect width="512" height="512" fill="red" filter="url(#f)"/>`);
}
