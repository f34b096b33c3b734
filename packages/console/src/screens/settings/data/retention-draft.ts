import { type RetentionKind, retentionCeiling, retentionKinds } from '@telltale/core/query/retention'

/** Days as typed in the fields. */
export type DayTexts = Readonly<Record<RetentionKind, string>>
type Days = Readonly<Record<RetentionKind, number>>

export function textsOf(days: Days): DayTexts {
  const { events, replays, profiles, exposures } = days
  return {
    events: String(events),
    replays: String(replays),
    profiles: String(profiles),
    exposures: String(exposures),
  }
}

export function faultsIn(texts: DayTexts): Partial<Record<RetentionKind, string>> {
  const faults: Partial<Record<RetentionKind, string>> = {}
  for (const kind of retentionKinds) {
    const text = texts[kind].trim()
    const days = Number(text)
    const isGood = /^\d+$/.test(text) && days >= 1 && days <= retentionCeiling[kind]
    if (!isGood) faults[kind] = `Enter a whole number from 1 to ${retentionCeiling[kind]}.`
  }
  return faults
}

/** The differences, and whether any stored data would be deleted. */
export function changeIn(
  texts: DayTexts,
  days: Days,
): { days: Partial<Record<RetentionKind, number>>; isShorter: boolean } {
  const changed: Partial<Record<RetentionKind, number>> = {}
  let isShorter = false
  for (const kind of retentionKinds) {
    const wanted = Number(texts[kind])
    if (texts[kind].trim() === '' || wanted === days[kind]) continue
    changed[kind] = wanted
    if (wanted < days[kind]) isShorter = true
  }
  return { days: changed, isShorter }
}
