export { NotFoundInShell as default } from "../_components/not-found-in-shell";
