// Completion scripts, from the table of verbs.

import type { Option, Verb } from './verb.ts'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

export function completionOf(shell: Shell, verbs: readonly Verb[]): string {
  return { bash, zsh, fish }[shell](verbs)
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
${valueCases(verbs, 'words')}
  esac
  case "$current" in -*) words="$options" ;; esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ -n "$words" ] || COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _telltale telltale`
}

/** Branches by verb and option that put the values of the option into a variable. */
function valueCases(verbs: readonly Verb[], variable: string): string {
  const cases = verbs.flatMap(({ name, options }) =>
    Object.entries(options).flatMap(([option, { value, ...rest }]) =>
      value !== undefined && 'oneOf' in rest && rest.oneOf !== undefined
        ? [`    '${name} --${option}') ${variable}='${rest.oneOf.join(' ')}' ;;`]
        : [],
    ),
  )
  return cases.join('\n')
}

/** Works as a file of `fpath`, which zsh runs at the first completion, and read by `source`. */
function zsh(verbs: readonly Verb[]): string {
  const commands = [...nextWords(verbs)].map(([before, words]) => {
    const described = [...words].map((word) => describe(word, doesOf(verbs, before, word)))
    return `    '${before}') commands=(${described.join(' ')}) ;;`
  })
  const options = verbs.map(({ name, options: its }) => {
    const described = Object.entries(its).map(([option, { does }]) => describe(`--${option}`, does))
    return `      '${name}') options=(${[...described, "'--help:explains the command'"].join(' ')}) ;;`
  })
  return `#compdef telltale
_telltale() {
  local verb='' values='' word named
  local -a commands options
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] && break
    verb="\${verb:+$verb }$word"
  done
  named=$verb
  while [[ -n $named ]]; do
    case "$named" in
${options.join('\n')}
    esac
    (( $#options )) && break
    [[ $named == *' '* ]] && named=\${named% *} || named=''
  done
  case "$verb" in
${commands.join('\n')}
  esac
  case "$named \${words[CURRENT-1]}" in
${valueCases(verbs, 'values')}
  esac
  if [[ -n $values ]]; then compadd -- \${=values}
  elif [[ $PREFIX == -* ]]; then _describe -o option options
  elif (( $#commands )); then _describe command commands
  else _files
  fi
}
if [[ "\${funcstack[1]}" == _telltale ]]; then _telltale "$@"; else compdef _telltale telltale; fi`
}

function fish(verbs: readonly Verb[]): string {
  const words = [...nextWords(verbs)].flatMap(([before, those]) =>
    [...those].map((word) => {
      const does = quote(doesOf(verbs, before, word))
      return `complete -c telltale -f -n '__telltale_after "${before}"' -a ${word} -d ${does}`
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
    '    set -l line (string join " " -- (__telltale_words))',
    '    test "$line" = "$argv[1]"',
    'end',
    'function __telltale_in',
    '    set -l line (string join " " -- (__telltale_words))',
    '    string match -q -- "$argv[1] *" "$line "',
    'end',
    ...words,
    ...options,
  ].join('\n')
}

function argumentOf(option: Option): string {
  if (option.value === undefined) return ''
  return option.oneOf ? ` -x -a ${quote(option.oneOf.join(' '))}` : ' -r'
}

function doesOf(verbs: readonly Verb[], before: string, word: string): string {
  const named = verbs.find(({ name }) => name === [before, word].join(' ').trim())
  return named?.does ?? (word === 'help' ? 'explains a command' : `${word} …`)
}

/** As `_describe` of zsh reads it. */
function describe(word: string, does: string): string {
  return `'${word}:${does.replaceAll("'", "'\\''")}'`
}

const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
