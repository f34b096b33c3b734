/** The history's state in the URL. */
export interface HistorySearch {
  /** The selected version. Default: the newest. */
  v?: number | undefined
  /** The version to compare with. Default: the previous one. */
  with?: number | undefined
}

export function parseHistorySearch(search: Record<string, unknown>): HistorySearch {
  return { v: versionOf(search.v), with: versionOf(search.with) }
}

function versionOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined
}
