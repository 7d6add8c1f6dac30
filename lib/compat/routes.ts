import "server-only";
import type { Handler, Route } from "@/lib/http/routes";
import { appCenter } from "./appcenter";
import { diawi } from "./diawi";
import { handlerFor, type Product } from "./exchange";
import { TESTFAIRY_PATHS, testfairy } from "./testfairy";
import { ZEALOT_PATHS, zealot } from "./zealot";

const COMPAT_PATH = "/compat";

const products: readonly Product[] = [appCenter, zealot, testfairy, diawi];

/** The routes for the clients of other products, below an address of each product. */
export const compatBelow: Record<string, Handler> = Object.fromEntries(
  products.map((product) => {
    const address = `${COMPAT_PATH}/${product.name}`;
    return [`${address}/`, handlerFor(product, address)];
  }),
);

function atRoot(product: Product, paths: readonly string[]): Record<string, Route> {
  const handle = handlerFor(product, "");
  return Object.fromEntries(paths.map((path) => [path, { methods: Object.keys(product.at(path) ?? {}), handle }]));
}

/** The paths that clients ask for at the root, although they were given an address with a path. */
export const compatRoutes: Record<string, Route> = {
  ...atRoot(zealot, ZEALOT_PATHS),
  ...atRoot(testfairy, TESTFAIRY_PATHS),
};
