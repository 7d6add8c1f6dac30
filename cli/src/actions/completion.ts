import { proposeCompletions } from "@stricli/core";
import type { Shell } from "../commands/general";
import type { Context } from "../lib/context";

const SCRIPTS: Record<Shell, string> = {
  bash: `_slipway() {
  local IFS=$'\\n'
  COMPREPLY=($(slipway propose -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  [ \${#COMPREPLY[@]} -eq 0 ] && COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o filenames -F _slipway slipway
`,
  zsh: `#compdef slipway
_slipway() {
  local -a proposals
  proposals=("\${(@f)$(slipway propose -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${proposals[1]}" ]]; then compadd -- "\${proposals[@]}"; else _files; fi
}
compdef _slipway slipway
`,
  fish: `function __slipway_propose
  set -l proposals (slipway propose -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)
  if test (count $proposals) -gt 0
    printf '%s\\n' $proposals
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c slipway -f -a '(__slipway_propose)'
`,
};

/** Writes the completion script of a shell. */
export async function completion(this: Context, _flags: Record<never, never>, shell: Shell): Promise<void> {
  this.out.write(SCRIPTS[shell]);
}

/** Writes what can follow the words of a command line, one proposal per line. */
export async function propose(this: Context, _flags: Record<never, never>, ...words: string[]): Promise<void> {
  for (const { completion: proposal } of await proposeCompletions(this.application, words, this)) {
    // The library proposes it before each argument; only what another program takes needs it.
    if (proposal !== "--" || words.at(-1)?.startsWith("-")) this.out.write(`${proposal}\n`);
  }
}
