// The answers of OFREP, as they come: what is no answer is left out.

export type FlagMetadata = Record<string, string | number | boolean>

export interface FlagAnswer {
  key: string
  /** Missing: the default of the application. */
  value?: unknown
  reason?: string
  variant?: string
  metadata?: FlagMetadata
  errorCode?: string
}

export type FlagAnswers = ReadonlyMap<string, FlagAnswer>

/** What a bulk evaluation answers, as far as it can be trusted to be one. */
export type BulkAnswer = { flags?: unknown } | null | undefined

/** Looks no deeper than it must: a Telltale server made it. */
export function readAnswers(given: BulkAnswer): FlagAnswers | undefined {
  const flags = given?.flags
  return Array.isArray(flags) ? new Map(flags.map((flag) => [flag?.key, flag])) : undefined
}

/** What a page brings along: the answer of a bulk evaluation, or an object of plain values. */
export function readBootstrap(given: object): FlagAnswers {
  return readAnswers(given) ?? new Map(Object.entries(given).map(([key, value]) => [key, { key, value }]))
}

/** The keys of flags that are new, gone, or answered otherwise. */
export function changedKeys(before: FlagAnswers | undefined, after: FlagAnswers): string[] {
  const keys = new Set([...(before?.keys() ?? []), ...after.keys()])
  return [...keys].filter((key) => JSON.stringify(before?.get(key)) !== JSON.stringify(after.get(key)))
}
