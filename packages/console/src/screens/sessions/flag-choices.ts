import type { SessionFacet } from '../../api/sessions.ts'
import { splitRead } from './read-variation.tsx'

/** The flags that the sessions read most, with the one that is chosen. */
export function flagChoices(
  facets: readonly SessionFacet[] | undefined,
  chosen: string | undefined,
): string[] {
  const read = facets?.find(({ field }) => field === 'flag')?.values.map(({ value }) => splitRead(value)[0])
  return [...new Set([...(chosen === undefined ? [] : [chosen]), ...(read ?? [])])].sort()
}
