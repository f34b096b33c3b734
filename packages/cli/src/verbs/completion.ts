import { completionOf, type Shell, shells } from '../command/completion.ts'
import { UsageError } from '../command/read-arguments.ts'
import { exitCodes, type Verb, verb } from '../command/verb.ts'

/** `all`: the table, which contains this verb. */
export const completionVerb = (all: () => readonly Verb[]): Verb =>
  verb({
    name: 'completion',
    group: 'command',
    does: 'prints the completion of a shell',
    more: 'bash: `source <(telltale completion bash)` in `~/.bashrc`. zsh: `telltale completion zsh > _telltale` in a folder of `fpath`. fish: `telltale completion fish > ~/.config/fish/completions/telltale.fish`.',
    takes: [{ name: 'SHELL' }],
    async run({ argument }) {
      const shell = argument(0)
      if (!isShell(shell))
        throw new UsageError(`There is completion for ${shells.join(', ')}, not "${shell}".`)
      console.log(completionOf(shell, all()))
      return exitCodes.done
    },
  })

const isShell = (text: string): text is Shell => shells.some((shell) => shell === text)
