/** The token of a link (`#tti_…`). It is in the fragment, which browsers do not send to servers. */
export function tokenOfHash(hash: string): string | undefined {
  return hash.replace(/^#/, '') || undefined
}
