/** Recently loaded segment texts, for seeking back: least recently used ones are evicted first. */
export interface SegmentCache {
  get(tab: string, index: number): string | undefined
  keep(tab: string, index: number, lines: string): void
  readonly length: number
}

const charactersAtMost = 24 * 1024 * 1024

export function createSegmentCache(most = charactersAtMost): SegmentCache {
  const kept = new Map<string, string>()
  let length = 0
  const keyOf = (tab: string, index: number) => `${tab}/${index}`
  const drop = (key: string) => {
    length -= kept.get(key)?.length ?? 0
    kept.delete(key)
  }
  return {
    get(tab, index) {
      const key = keyOf(tab, index)
      const lines = kept.get(key)
      if (lines === undefined) return undefined
      kept.delete(key)
      kept.set(key, lines)
      return lines
    },
    keep(tab, index, lines) {
      const key = keyOf(tab, index)
      drop(key)
      // A text that would evict all others is not cached.
      if (lines.length > most / 2) return
      kept.set(key, lines)
      length += lines.length
      for (const oldest of kept.keys()) {
        if (length <= most) break
        drop(oldest)
      }
    },
    get length() {
      return length
    },
  }
}
