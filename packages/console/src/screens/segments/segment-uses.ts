import type { UsedSegment } from '../../api/segments.ts'

export interface FlagUse {
  readonly flag: string
  /** Environment keys, in the order of the project. */
  readonly environments: readonly string[]
}

/** By flag, in the order of the response. */
export function usesOf({ usedBy }: UsedSegment): FlagUse[] {
  const environmentsOf = new Map<string, string[]>()
  for (const { flag, env } of usedBy) environmentsOf.set(flag, [...(environmentsOf.get(flag) ?? []), env])
  return [...environmentsOf].map(([flag, environments]) => ({ flag, environments }))
}

export function countFlags(segment: UsedSegment): number {
  return usesOf(segment).length
}

const namedFlags = 5

export function usesText(segment: UsedSegment): string {
  const uses = usesOf(segment)
  const named = uses
    .slice(0, namedFlags)
    .map(({ flag, environments }) => `${flag} (${environments.join(', ')})`)
  const hidden = uses.length - named.length
  return hidden > 0 ? `${named.join(', ')} and ${hidden} more` : named.join(', ')
}
