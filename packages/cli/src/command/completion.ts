// Completion scripts, from the table of verbs.

import type { Option, Verb } from './verb.ts'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

export function completionOf(shell: Shell, verbs: readonly Verb[]): string {
  if (shell === 'fish') return fish(verbs)
  // zsh reads the script of bash once its own loader of such scripts runs.
  return shell === 'bash'
    ? bash(verbs)
    : ['#compdef telltale', 'autoload -U +X bashcompinit && bashcompinit', bash(verbs)].join('\n')
}

/** What can follow each beginning of a command line, by the words of it: '' → start, flags, …; flags → list, get, … */
function nextWords(verbs: readonly Verb[]): Map<string, Set<string>> {
  const next = new Map<string, Set<string>>([['', new Set(['help'])]])
  for (const { name } of verbs) {
    const words = name.split(' ')
    words.forEach((word, index) => {
      const before = words.slice(0, index).join(' ')
      next.set(before, (next.get(before) ?? new Set()).add(word))
    })
  }
  return next
}

function bash(verbs: readonly Verb[]): string {
  const cases = [...nextWords(verbs)].map(
    ([before, words]) => `    '${before}') words='${[...words].join(' ')}' ;;`,
  )
  const options = verbs.map(({ name, options: its }) => {
    const names = Object.keys(its).map((option) => `--${option}`)
    return `    '${name}') options='${[...names, '--help'].join(' ')}' ;;`
  })
  const values = verbs.flatMap(({ name, options: its }) =>
    Object.entries(its).flatMap(([option, { value, ...rest }]) =>
      value !== undefined && 'oneOf' in rest && rest.oneOf !== undefined
        ? [`    '${name} --${option}') words='${rest.oneOf.join(' ')}' ;;`]
        : [],
    ),
  )
  return `_telltale() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local verb='' words='' options='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) break ;; esac
    verb="\${verb:+$verb }$word"
  done
  local named="$verb"
  while [ -n "$named" ]; do
    case "$named" in
${options.map((line) => `  ${line}`).join('\n')}
    esac
    [ -n "$options" ] && break
    case "$named" in *' '*) named="\${named% *}" ;; *) named='' ;; esac
  done
  case "$verb" in
${cases.join('\n')}
  esac
  case "$named $previous" in
${values.join('\n')}
  esac
  case "$current" in -*) words="$options" ;; esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ -n "$words" ] || COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _telltale telltale`
}

function fish(verbs: readonly Verb[]): string {
  const words = [...nextWords(verbs)].flatMap(([before, those]) =>
    [...those].map((word) => {
      const does = verbs.find(({ name }) => name === [before, word].join(' ').trim())?.does ?? `${word} …`
      return `complete -c telltale -f -n '__telltale_after "${before}"' -a ${word} -d ${quote(does)}`
    }),
  )
  const options = verbs.flatMap(({ name, options: its }) =>
    Object.entries(its).map(([option, described]) => {
      return `complete -c telltale -n '__telltale_in "${name}"' -l ${option}${argumentOf(described)} -d ${quote(described.does)}`
    }),
  )
  return [
    'function __telltale_words',
    '    set -l words (commandline -opc)',
    "    string match -v -- '-*' $words[2..-1]",
    'end',
    'function __telltale_after',
    '    test (string join " " -- (__telltale_words)) = "$argv[1]"',
    'end',
    'function __telltale_in',
    '    string match -q -- "$argv[1]*" (string join " " -- (__telltale_words))',
    'end',
    ...words,
    ...options,
  ].join('\n')
}

function argumentOf(option: Option): string {
  if (option.value === undefined) return ''
  return option.oneOf ? ` -x -a ${quote(option.oneOf.join(' '))}` : ' -r'
}

const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
