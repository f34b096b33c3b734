// Entity tags: quoted, and compared weakly, because compressing proxies make them weak.

export function entityTag(opaque: string): string {
  return `"${opaque}"`
}

/** Whether `known`, the value of an `If-None-Match` header, contains the tag. */
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
