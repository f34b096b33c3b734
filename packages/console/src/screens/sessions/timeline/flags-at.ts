import type { Session } from '../../../api/sessions.ts'

interface FlagInForce {
  flag: string
  /** Undefined: it is read later. */
  variation: string | undefined
  /** Every variation that it had, in order of time. */
  reads: { at: number; variation: string; split: string | null }[]
}

/** Every flag of a session by name, with the variation in force so many milliseconds after its beginning. */
export function flagsAt(
  { startedAt, flagChanges }: Pick<Session, 'startedAt' | 'flagChanges'>,
  at: number,
): FlagInForce[] {
  const start = Date.parse(startedAt)
  const flags = new Map<string, FlagInForce>()
  for (const { flag, variation, at: instant, split } of flagChanges) {
    const known = flags.get(flag) ?? { flag, variation: undefined, reads: [] }
    const read = { at: Math.max(0, Date.parse(instant) - start), variation, split }
    known.reads.push(read)
    if (read.at <= at) known.variation = variation
    flags.set(flag, known)
  }
  return [...flags.values()].sort((a, b) => a.flag.localeCompare(b.flag, 'en'))
}
