// Finds the uploaded map of a script that a user's browser ran, or the reason why it is missing.

import { isHashed, isSamePath, lastPart, scriptPath, withoutHash } from './script-path.ts'

export interface KnownMap {
  id: string
  version: string
  /** A path that begins with a slash. */
  file: string
}

export type WhyNot =
  | 'inline'
  | 'third-party'
  | 'not-uploaded'
  | 'other-path'
  | 'other-build'
  | 'other-version'
type MapChoice =
  | { kind: 'found'; map: KnownMap }
  /** `nearest` is the most similar uploaded path. */
  | { kind: 'missing'; why: WhyNot; nearest: KnownMap | undefined }

interface ScriptRef {
  /** As the browser reports it. */
  address: string
  /** Of the running application. */
  version: string
  /** The page on which it ran. */
  page: string
}

/**
 * `maps` are those whose file has the same name apart from a hash, the newest first. `hasMaps`: whether the project
 * has any uploaded map.
 */
export function findMap(
  maps: readonly KnownMap[],
  { address, version, page }: ScriptRef,
  hasMaps = maps.length > 0,
): MapChoice {
  const path = scriptPath(address)
  const named = maps.filter(({ file }) => lastPart(file) === lastPart(path))
  const placed = named.filter(({ file }) => isSamePath(file, path))
  if (placed.length === 0) return missing(maps, { address, version, page }, hasMaps)

  // The longest common path is the most reliable match.
  const byLength = placed.toSorted((left, right) => right.file.length - left.file.length)
  const found =
    byLength.find((map) => map.version === version) ??
    byLength.find((map) => map.version === '') ??
    (isHashed(lastPart(path)) ? byLength[0] : undefined)
  return found === undefined
    ? { kind: 'missing', why: 'other-version', nearest: placed[0] }
    : { kind: 'found', map: found }
}

function missing(maps: readonly KnownMap[], { address, page }: ScriptRef, hasMaps: boolean): MapChoice {
  const name = lastPart(scriptPath(address))
  const named = maps.find(({ file }) => lastPart(file) === name)
  const because = (why: WhyNot, nearest?: KnownMap): MapChoice => ({ kind: 'missing', why, nearest })
  if (named !== undefined) return because('other-path', named)
  if (isExtension(address)) return because('third-party')
  const rebuilt = maps.find(({ file }) => withoutHash(lastPart(file)) === withoutHash(name))
  if (rebuilt !== undefined) return because('other-build', rebuilt)
  if (!/\.[cm]?[jt]sx?$/.test(name)) return because('inline')
  // Without any map, the missing step is the upload, wherever the scripts are served from.
  return because(hasMaps && isElsewhere(address, page) ? 'third-party' : 'not-uploaded')
}

const isExtension = (address: string) => /^[a-z-]*extension:/i.test(address)

function isElsewhere(address: string, page: string): boolean {
  const [script, own] = [hostOf(address), hostOf(page)]
  return script !== undefined && own !== undefined && script !== own
}

function hostOf(address: string): string | undefined {
  return URL.parse(address)?.host.toLowerCase()
}
