/** The families of Apple's devices by the beginning of a model's identifier. */
const MODEL = /^(iPhone|iPad|iPod)(\d{1,2}),(\d{1,2})$/;

type Family = "iPhone" | "iPad" | "iPod";

interface Model {
  family: Family;
  /** The first number of the identifier, which rises with the generation of the processor. */
  generation: number;
}

/** A model by Apple's identifier, such as "iPhone15,2"; null for anything else. */
export function appleModel(identifier: string | null): Model | null {
  const [, family, generation] = MODEL.exec(identifier ?? "") ?? [];
  return family === undefined ? null : { family: family as Family, generation: Number(generation) };
}

/** The first generation of each family with a processor; null if no model of the family has it. */
type Since = Readonly<Record<Family, number | null>>;

const A7: Since = { iPhone: 6, iPad: 4, iPod: 7 };
const A9: Since = { iPhone: 8, iPad: 6, iPod: 9 };
const A12: Since = { iPhone: 11, iPad: 8, iPod: null };

/**
 * The capabilities that are known to depend on the model (developer.apple.com/support/required-device-capabilities).
 * A family that is left out, or another capability, decides nothing.
 */
const CAPABILITIES: Readonly<Record<string, Partial<Since>>> = {
  arm64: A7,
  metal: A7,
  arkit: A9,
  "iphone-ipad-minimum-performance-a12": A12,
  // The A17 Pro of iPhone 15 Pro.
  "iphone-performance-gaming-tier": { iPhone: 16, iPod: null },
  nfc: { iPhone: 9, iPad: null, iPod: null },
  telephony: { iPhone: 1, iPad: null, iPod: null },
};

function isSince({ family, generation }: Model, since: Partial<Since>): boolean {
  const first = since[family];
  return first === undefined || (first !== null && generation >= first);
}

/** Those of the required capabilities that a model is known to lack. */
export function missingCapabilities(required: readonly string[], model: Model): string[] {
  return required.filter((name) => {
    const since = Object.hasOwn(CAPABILITIES, name) ? CAPABILITIES[name] : undefined;
    return since !== undefined && !isSince(model, since);
  });
}

/** Whether the processor of a model runs 64-bit code. */
export function is64Bit(model: Model): boolean {
  return isSince(model, A7);
}
