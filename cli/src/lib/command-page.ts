import type { Command, RouteMap } from "@stricli/core";
import type { Context } from "./context";

export type Target = ReturnType<RouteMap<Context>["getAllEntries"]>[number]["target"];

/** An option as it is written on the command line. */
interface Option {
  name: string;
  /** Of its value; undefined for a switch. */
  placeholder: string | undefined;
  brief: string;
  repeatable: boolean;
  initial: string | undefined;
}

/** What is said of one command. */
export interface Page {
  /** As it is written on the command line. */
  name: string;
  brief: string;
  /** Paragraphs, one in a line; the first is the brief. */
  description: string;
  /** With placeholders. */
  usage: string;
  arguments: { placeholder: string; brief: string }[];
  options: Option[];
}

export function isRouteMap(target: Target): target is RouteMap<Context> {
  return "getAllEntries" in target;
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** @param name the words of the command after `slipway` */
export function pageOf(name: string, command: Command<Context>): Page {
  const { flags = {}, positional } = command.parameters;
  const parameters =
    positional === undefined ? [] : positional.kind === "tuple" ? positional.parameters : [positional.parameter];
  const named = parameters.map((parameter) => ({
    placeholder: parameter.placeholder ?? "value",
    brief: parameter.brief,
    optional:
      parameter.optional === true ||
      parameter.default !== undefined ||
      (positional?.kind === "array" && !positional.minimum),
    many: positional?.kind === "array",
  }));
  const usage = named.map(({ placeholder, optional, many }) => {
    const text = `<${placeholder}>${many ? "..." : ""}`;
    return optional ? `[${text}]` : text;
  });
  const options = Object.entries(flags).map(([flag, one]): Option => {
    const initial = "default" in one && typeof one.default === "string" ? one.default : undefined;
    return {
      name: `--${kebab(flag)}`,
      placeholder:
        one.kind === "boolean" ? undefined : one.kind === "enum" ? one.values.join("|") : (one.placeholder ?? "value"),
      brief: one.brief,
      repeatable: "variadic" in one && one.variadic === true,
      initial,
    };
  });
  return {
    name: `slipway ${name}`,
    brief: command.brief,
    description: [`${command.brief}.`, command.fullDescription].filter(Boolean).join("\n"),
    usage: ["slipway", name, ...(options.length > 0 ? ["[options]"] : []), ...usage].join(" "),
    arguments: named,
    options,
  };
}

/** An option with its value, as `--notes <text>`. */
export function optionTerm({ name, placeholder, repeatable }: Option): string {
  return `${name}${placeholder ? ` <${placeholder}>` : ""}${repeatable ? " ..." : ""}`;
}
