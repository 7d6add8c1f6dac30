import type { SymbolImage } from "./types";

/** Which programs of an app have symbols, and which symbols belong to none. */
export interface SymbolMatch {
  matched: SymbolImage[];
  /** Programs without symbols. */
  missing: SymbolImage[];
  /** Symbols of other programs. */
  foreign: SymbolImage[];
}

/** Compares the programs of an app with symbols, by their UUIDs. */
export function matchSymbols(binaries: readonly SymbolImage[], symbols: readonly SymbolImage[]): SymbolMatch {
  const ofSymbols = new Set(symbols.map(({ uuid }) => uuid));
  const ofBinaries = new Set(binaries.map(({ uuid }) => uuid));
  return {
    matched: binaries.filter(({ uuid }) => ofSymbols.has(uuid)),
    missing: binaries.filter(({ uuid }) => !ofSymbols.has(uuid)),
    foreign: symbols.filter(({ uuid }) => !ofBinaries.has(uuid)),
  };
}
