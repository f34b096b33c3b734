// Entity tags: quoted, compared weakly, because proxies that compress make them weak.

export function entityTag(opaque: string): string {
  return `"${opaque}"`
}

/** Whether `known`, what an `If-None-Match` says, names the tag. */
export function matchesTag(known: string, tag: string): boolean {
  return known === tag || known.split(',').some((each) => each.trim().replace(/^W\//, '') === tag)
}

export function isUnchanged(
  { headers }: { headers: { 'if-none-match'?: string | undefined } },
  tag: string,
): boolean {
  const known = headers['if-none-match']
  return known !== undefined && matchesTag(known, tag)
}
