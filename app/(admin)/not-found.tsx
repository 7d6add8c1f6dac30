import { NotFoundMessage } from "../_components/not-found-message";

/** The not-found page within the shell. */
export default function NotFoundInShell() {
  return <NotFoundMessage inShell />;
}
