import { expect, it } from "vitest";
import messages from "@/messages/pt.json";

/** Words of Portugal that are foreign in Brazil; docs/translating.md has those that both understand. */
const FOREIGN_IN_BRAZIL =
  /(?<!\p{L})(consolas?|ficheiros?|palavras?-passe|utilizador(es)?|ecrãs?|telemóve(l|is)|transferências?|transferir|ligaç(ão|ões)|registos?|controlo|equipas?|separador(es)?|definiç(ão|ões)|aprovisionamento|câmaras?|secç(ão|ões)|anular)(?!\p{L})/iu;

/** The paths of the texts that have a word. */
function textsWith(word: RegExp, texts: object, path = ""): string[] {
  return Object.entries(texts).flatMap(([key, text]) =>
    typeof text === "string"
      ? (text.match(word) ?? []).slice(0, 1).map((found) => `${path}${key}: ${found}`)
      : textsWith(word, text, `${path}${key}.`),
  );
}

it("the texts in Portuguese have no word that is foreign in Brazil", () => {
  expect(textsWith(FOREIGN_IN_BRAZIL, { one: "a consola", two: "o ecrã.", three: "registou" })).toEqual([
    "one: consola",
    "two: ecrã",
  ]);
  expect(textsWith(FOREIGN_IN_BRAZIL, messages)).toEqual([]);
});
