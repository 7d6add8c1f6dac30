import { NotFoundMessage } from "../_components/not-found-message";

/** What is not there, said within the shell. */
export default function NotFoundInShell() {
  return <NotFoundMessage inShell />;
}
