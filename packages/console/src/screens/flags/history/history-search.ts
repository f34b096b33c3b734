/** What of the history stands in the address. */
export interface HistorySearch {
  /** The version that is looked at. Default: the newest. */
  v?: number | undefined
  /** What it is compared with. Default: the one before. */
  with?: number | undefined
}

export function parseHistorySearch(search: Record<string, unknown>): HistorySearch {
  return { v: versionOf(search.v), with: versionOf(search.with) }
}

function versionOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined
}
