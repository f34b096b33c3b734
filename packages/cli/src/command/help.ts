// The help: of the command, of verbs that begin with the same word, and of one verb.

import { groups, type Option, type Verb } from './verb.ts'

/** `flags get FLAG [--project KEY]`: the required parts first. */
export function usageOf({ name, takes, options }: Verb): string {
  const places = takes.map(({ name: its, isOptional, isMany }) => {
    const shown = isMany ? `${its} …` : its
    return isOptional ? `[${shown}]` : shown
  })
  const switches = Object.entries(options).map(([option, its]) => `[${spell(option, its)}]`)
  return [name, ...places, ...switches].join(' ')
}

export function spell(name: string, { value }: Option): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`
}

export function helpOfCommand(verbs: readonly Verb[]): string {
  const sections = Object.entries(groups).flatMap(([group, title]) => {
    const its = verbs.filter((verb) => verb.group === group)
    return its.length === 0 ? [] : ['', `${title}:`, ...listVerbs(its)]
  })
  return [
    'Usage: telltale COMMAND',
    ...sections,
    '',
    '"telltale help COMMAND" explains one. Without a command, the server starts, as with "telltale start".',
  ].join('\n')
}

/** For `telltale flags`, which is not a verb but the beginning of several. */
export function helpOfWord(word: string, verbs: readonly Verb[]): string {
  return [`Usage: telltale ${word} COMMAND`, '', ...listVerbs(verbs)].join('\n')
}

export function helpOfVerb(verb: Verb): string {
  const options = Object.entries(verb.options).map(([name, its]) => {
    return [spell(name, its), describeOption(its)] as const
  })
  return [
    `Usage: telltale ${usageOf(verb)}`,
    '',
    `${capitalize(verb.does)}.`,
    ...(options.length > 0 ? ['', ...align(options)] : []),
  ].join('\n')
}

export function describeOption(option: Option): string {
  if (option.value === undefined) return option.does
  const { does, variable, oneOf, isMany } = option
  const facts = [
    ...(oneOf ? [`one of ${oneOf.join(', ')}`] : []),
    ...(isMany ? ['may be repeated'] : []),
    ...(variable ? [`or ${variable}`] : []),
  ]
  return facts.length > 0 ? `${does} (${facts.join('; ')})` : does
}

function listVerbs(verbs: readonly Verb[]): string[] {
  return align(
    verbs.map((verb) => [[verb.name, ...verb.takes.map(({ name }) => name)].join(' '), verb.does] as const),
  )
}

function align(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}

const capitalize = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
