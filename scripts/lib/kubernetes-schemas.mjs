/**
 * A schema of JSON Schema or OpenAPI 2.
 *
 * @typedef {Record<string, unknown>} Schema
 *
 * @typedef {object} Kind a kind of resource, as OpenAPI documents of Kubernetes name it
 * @property {string} group
 * @property {string} kind
 * @property {string} version
 */

/** Definitions whose OpenAPI type is narrower than what Kubernetes takes. */
const WIDER = /** @type {Record<string, Schema>} */ ({
  "io.k8s.apimachinery.pkg.util.intstr.IntOrString": { type: ["string", "integer"] },
  "io.k8s.apimachinery.pkg.api.resource.Quantity": { type: ["string", "number"] },
});

/**
 * The JSON schemas of the kinds in an OpenAPI document of Kubernetes, which allow no unknown field.
 *
 * @param {{ definitions: Record<string, Schema> }} document
 * @returns {[name: string, schema: Schema][]} the names as kubeconform looks for them, `deployment-apps-v1` and `service-v1`
 */
export function schemasOf({ definitions }) {
  return Object.entries(definitions).flatMap(([name, definition]) => {
    const kinds = /** @type {Kind[] | undefined} */ (definition["x-kubernetes-group-version-kind"]);
    if (kinds?.length !== 1) return [];
    const [{ group, kind, version }] = /** @type {[Kind]} */ (kinds);
    const file = [kind, group.split(".")[0], version].filter(Boolean).join("-").toLowerCase();
    return [/** @type {[string, Schema]} */ ([file, standalone(name, definitions)])];
  });
}

/**
 * A definition with those that it refers to.
 *
 * @param {string} root
 * @param {Record<string, Schema>} definitions
 * @returns {Schema}
 */
function standalone(root, definitions) {
  /** @type {Record<string, Schema>} */
  const used = {};
  const names = [root];
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    if (name in used) continue;
    const definition = WIDER[name] ?? definitions[name] ?? {};
    used[name] = strict(definition);
    for (const [, reference] of JSON.stringify(definition).matchAll(/"#\/definitions\/([^"]+)"/g)) {
      names.push(/** @type {string} */ (reference));
    }
  }
  return { $ref: `#/definitions/${root}`, definitions: used };
}

/**
 * @param {Schema} definition
 * @returns {Schema} that allows no other fields than its properties
 */
function strict(definition) {
  return "properties" in definition ? { ...definition, additionalProperties: false } : definition;
}
