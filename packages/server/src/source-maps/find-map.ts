// Which uploaded map belongs to a script that somebody's browser ran, and if none does: why.

import { isHashed, isSamePath, lastPart, scriptPath } from './script-path.ts'

export interface KnownMap {
  id: string
  version: string
  /** A path that begins with a slash. */
  file: string
}

export type WhyNot = 'not-uploaded' | 'other-path' | 'other-version'
export type MapChoice =
  | { kind: 'found'; map: KnownMap }
  /** `nearest` is what was uploaded that comes closest. */
  | { kind: 'missing'; why: WhyNot; nearest: KnownMap | undefined }

/** `maps` are those whose file has the same last part. */
export function findMap(
  maps: readonly KnownMap[],
  { address, version }: { address: string; version: string },
): MapChoice {
  const path = scriptPath(address)
  const named = maps.filter(({ file }) => lastPart(file) === lastPart(path))
  const placed = named.filter(({ file }) => isSamePath(file, path))
  const [nearest] = [...placed, ...named]
  if (nearest === undefined) return { kind: 'missing', why: 'not-uploaded', nearest }
  if (placed.length === 0) return { kind: 'missing', why: 'other-path', nearest }

  // The longest path that both have in common is the surest.
  const byLength = placed.toSorted((left, right) => right.file.length - left.file.length)
  const found =
    byLength.find((map) => map.version === version) ??
    byLength.find((map) => map.version === '') ??
    (isHashed(lastPart(path)) ? byLength[0] : undefined)
  return found === undefined
    ? { kind: 'missing', why: 'other-version', nearest }
    : { kind: 'found', map: found }
}
