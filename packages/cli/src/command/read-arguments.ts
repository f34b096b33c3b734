// Reads the command line of one verb.

import { type ParseArgsConfig, parseArgs } from 'node:util'
import { closest } from './closest.ts'
import type { LooseGiven, Options, Verb } from './verb.ts'

/** The command line is not what the verb takes. Shown with the usage of the verb. */
export class UsageError extends Error {
  override name = 'UsageError'
}

export function readArguments(
  verb: Verb,
  rest: readonly string[],
  environment: NodeJS.ProcessEnv,
): LooseGiven {
  if (verb.passesOn) return givenOf({ positionals: [], values: {} }, { rest, environment, verb })
  const parsed = parse(verb.options, rest)
  checkPositionals(verb, parsed.positionals)
  checkValues(verb, parsed.values)
  return givenOf(parsed, { rest, environment, verb })
}

interface Parsed {
  positionals: readonly string[]
  values: Readonly<Record<string, unknown>>
}

function parse(options: Options, rest: readonly string[]): Parsed {
  const config: NonNullable<ParseArgsConfig['options']> = {}
  for (const [name, { value, isMany }] of Object.entries(options)) {
    config[name] = { type: value === undefined ? 'boolean' : 'string', multiple: isMany ?? false }
  }
  try {
    return parseArgs({ args: [...rest], options: config, allowPositionals: true })
  } catch (error) {
    // Node explains how to pass a positional that begins with a dash, which is not what was meant.
    const message = error instanceof Error ? error.message : String(error)
    const [unknown = '', name] = /^Unknown option '--([\w-]+)'/.exec(message) ?? []
    if (name === undefined) throw new UsageError(message)
    const meant = closest(name, Object.keys(options))
    throw new UsageError(`${unknown}.${meant === undefined ? '' : ` Did you mean --${meant}?`}`)
  }
}

function checkPositionals({ takes }: Verb, positionals: readonly string[]): void {
  const missing = takes.find(({ isOptional }, position) => !isOptional && positionals[position] === undefined)
  if (missing !== undefined) throw new UsageError(`${missing.name} is missing.`)
  const isOpen = takes.at(-1)?.isMany === true
  if (!isOpen && positionals.length > takes.length) {
    throw new UsageError(`"${positionals[takes.length]}" is an unexpected argument.`)
  }
}

function checkValues({ options }: Verb, values: Parsed['values']): void {
  for (const [name, option] of Object.entries(options)) {
    const wanted = option.value === undefined ? undefined : option.oneOf
    const wrong = textsIn(values[name]).find((text) => wanted?.includes(text) === false)
    if (wrong !== undefined)
      throw new UsageError(`--${name} is one of ${wanted?.join(', ')}, not "${wrong}".`)
  }
}

const textsIn = (value: unknown) => [value].flat().filter((one) => typeof one === 'string')

function givenOf(
  { positionals, values }: Parsed,
  { rest, environment, verb }: { rest: readonly string[]; environment: NodeJS.ProcessEnv; verb: Verb },
): LooseGiven {
  const fromVariable = (name: string) => {
    const option = verb.options[name]
    if (option?.value === undefined || option.variable === undefined) return undefined
    // An empty variable, as pipelines set for a missing secret, counts as not set.
    return environment[option.variable] || undefined
  }
  return {
    argument: (position) => positionals[position] ?? '',
    arguments: positionals,
    text: (name) => textsIn(values[name]).at(-1) ?? fromVariable(name),
    texts: (name) => textsIn(values[name]),
    isSet: (name) => values[name] === true,
    rest,
  }
}
