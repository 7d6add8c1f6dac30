#!/usr/bin/env node
// Renders the Helm chart with the values of deploy/helm/examples and checks the result against the schemas of Kubernetes.
// It needs helm and kubeconform on the PATH, or Go to build them, and Go to fetch the schemas.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { projectDir } from "./lib/files.mjs";
import { findGo, findGoTool, GO_TOOLS, MissingTool, succeeds } from "./lib/go-tools.mjs";
import { schemasOf } from "./lib/kubernetes-schemas.mjs";

const KUBERNETES = "1.34.2";
const CHART = join(projectDir, "deploy", "helm", "slipway");
const EXAMPLES = join(projectDir, "deploy", "helm", "examples");
const CACHE = join(projectDir, "node_modules", ".cache", `kubernetes-${KUBERNETES}`);

/** Writes the schemas of Kubernetes, which its module of Go contains as an OpenAPI document, if they are not there. */
function findSchemas() {
  if (existsSync(CACHE)) return;
  const module = execFileSync(findGo(), ["mod", "download", "-json", `k8s.io/kubernetes@v${KUBERNETES}`], {
    cwd: projectDir,
    encoding: "utf8",
  });
  const document = join(JSON.parse(module).Dir, "api", "openapi-spec", "swagger.json");
  const folder = `${CACHE}.${process.pid}`;
  mkdirSync(folder, { recursive: true });
  for (const [name, schema] of schemasOf(JSON.parse(readFileSync(document, "utf8")))) {
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(schema));
  }
  renameSync(folder, CACHE);
}

/** @param {string} helm @param {string} kubeconform @param {string} example */
function checkExample(helm, kubeconform, example) {
  const values = ["--values", join(EXAMPLES, example), "--kube-version", KUBERNETES];
  if (!succeeds(helm, ["lint", "--strict", CHART, ...values], projectDir)) return false;
  const rendered = join(CACHE, `${basename(example, ".yaml")}.rendered.yaml`);
  writeFileSync(rendered, execFileSync(helm, ["template", "slipway", CHART, ...values]));
  const schemas = join(CACHE, "{{.ResourceKind}}{{.KindSuffix}}.json");
  // The schema of ServiceMonitor is in the Prometheus operator.
  const options = ["-strict", "-summary", "-skip", "ServiceMonitor", "-schema-location", schemas];
  return succeeds(kubeconform, [...options, rendered], projectDir);
}

try {
  const [helm, kubeconform] = [findGoTool(GO_TOOLS.helm), findGoTool(GO_TOOLS.kubeconform)];
  findSchemas();
  const passed = readdirSync(EXAMPLES).map((example) => checkExample(helm, kubeconform, example));
  if (passed.includes(false)) process.exitCode = 1;
} catch (error) {
  if (!(error instanceof MissingTool)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
