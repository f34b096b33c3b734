// Parses OFREP responses: invalid entries are dropped.

export type FlagMetadata = Record<string, string | number | boolean>

export interface FlagAnswer {
  key: string
  /** Missing: the application's default applies. */
  value?: unknown
  reason?: string
  variant?: string
  metadata?: FlagMetadata
  errorCode?: string
}

export type FlagAnswers = ReadonlyMap<string, FlagAnswer>

/** A bulk evaluation response, as far as it is valid. */
export type BulkAnswer = { flags?: unknown } | null | undefined

/** Checks only the outer structure: a Telltale server created it. */
export function readAnswers(given: BulkAnswer): FlagAnswers | undefined {
  const flags = given?.flags
  return Array.isArray(flags) ? new Map(flags.map((flag) => [flag?.key, flag])) : undefined
}

/** Values embedded in a page: the response of a bulk evaluation, or an object of plain values. */
export function readBootstrap(given: object): FlagAnswers {
  return readAnswers(given) ?? new Map(Object.entries(given).map(([key, value]) => [key, { key, value }]))
}

/** The keys of flags that were added, removed or changed. */
export function changedKeys(before: FlagAnswers | undefined, after: FlagAnswers): string[] {
  const keys = new Set([...(before?.keys() ?? []), ...after.keys()])
  return [...keys].filter((key) => JSON.stringify(before?.get(key)) !== JSON.stringify(after.get(key)))
}
