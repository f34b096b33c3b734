/** The token of a link (`#tti_…`). It stands behind the `#`, which a browser sends to no server. */
export function tokenOfHash(hash: string): string | undefined {
  return hash.replace(/^#/, '') || undefined
}
