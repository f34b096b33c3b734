// What a verb of the command is. Each verb is one file in verbs/, and one line in verbs.ts.

/** The exit codes of every verb. `rollout wait` gives 1 and 2 a meaning of its own. */
export const exitCodes = { done: 0, failed: 1, misused: 2 } as const

interface Described {
  /** One phrase for the help. */
  does: string
  /** May be given several times. */
  isMany?: true
}

export interface TextOption extends Described {
  /** The name of its value in the help. */
  value: string
  /** The environment variable that is read if the option is not given. */
  variable?: string
  /** The values it can have. */
  oneOf?: readonly string[]
}

export interface SwitchOption extends Described {
  value?: never
}

export type Option = TextOption | SwitchOption
export type Options = Readonly<Record<string, Option>>

export interface Argument {
  name: string
  isOptional?: true
  /** Takes all that follow. */
  isMany?: true
}

type NamesOf<Its extends Options, Kind> = {
  [Name in keyof Its]: Its[Name] extends Kind ? Name : never
}[keyof Its] &
  string

/** What the command line gave to a verb. */
export interface Given<Its extends Options> {
  /** The argument at this position, or the empty text if it is optional and not there. */
  argument(position: number): string
  arguments: readonly string[]
  /** The option, or else its environment variable. */
  text(name: NamesOf<Its, TextOption>): string | undefined
  texts(name: NamesOf<Its, TextOption>): readonly string[]
  isSet(name: NamesOf<Its, SwitchOption>): boolean
  /** The command line after the name of the verb, unread. */
  rest: readonly string[]
}

export interface VerbDraft<Its extends Options> {
  /** As typed: `flags list`. */
  name: string
  group: Group
  /** One phrase for the help and the reference, without a full stop. */
  does: string
  /** What else the reference says, in Markdown. */
  more?: string
  takes?: readonly Argument[]
  options?: Its
  /** Its options are read by the program that it starts. */
  passesOn?: true
  /** Resolves to the exit code. */
  run(given: Given<Its>): Promise<number>
}

export const groups = {
  server: 'The server and its data folder',
  account: 'Signing in',
  flags: 'Flags, segments and users',
  releases: 'Rollouts and deploys',
  code: 'Code',
  moving: 'Moving in and out',
  command: 'The command',
} as const

export type Group = keyof typeof groups

/** What every verb receives, whatever its options are called. */
export interface LooseGiven {
  argument(position: number): string
  arguments: readonly string[]
  text(name: string): string | undefined
  texts(name: string): readonly string[]
  isSet(name: string): boolean
  rest: readonly string[]
}

export interface Verb {
  name: string
  group: Group
  does: string
  more: string
  takes: readonly Argument[]
  options: Options
  passesOn: boolean
  run(given: LooseGiven): Promise<number>
}

/** Declares a verb. Its options are named in its type, so that `run` can only read those that it declares. */
export function verb<const Its extends Options = Record<never, never>>(draft: VerbDraft<Its>): Verb {
  const { name, group, does, more = '', takes = [], options = {}, passesOn = false, run } = draft
  return { name, group, does, more, takes, options, passesOn, run }
}
