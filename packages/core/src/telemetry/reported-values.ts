// The values that a page reported for one flag, in chronological order: each value, the period in which it was
// reported, and the user. Late reports are sorted in; a value reported for one user is not carried over to another.

export interface ReportedValue {
  /** `valueText` of the value. */
  value: string
  from: number
  /** Time of the last report. */
  until: number
  /** Empty until the user signs in. */
  userKey: string
  anonymousId: string
  /** The last few views that reported it. */
  views: string[]
}

export interface Report {
  value: string
  /** The evaluation happened between `since` … */
  since: number
  /** … and `at`, when the value was still in effect. */
  at: number
  userKey: string
  anonymousId: string
  view: string
}

/** A flag that changes more often in one session is not useful for comparisons. */
const valuesKept = 16

const viewsKept = 8

/** Adds a report and returns the value it extends or creates; undefined when the report is rejected. */
export function addReport(reported: ReportedValue[], report: Report): ReportedValue | undefined {
  const { value, since, at, userKey, anonymousId, view } = report
  const index = reported.findLastIndex(({ from }) => from <= at)
  const before = reported[index]
  if (before !== undefined && before.value === value && !isAnother(before.userKey, userKey)) {
    return extend(before, report)
  }
  // For two values at the same time, keep the one reported first.
  if (before !== undefined && at <= before.until) return undefined

  const earliest = before === undefined ? since : Math.max(since, before.until + 1)
  const next = reported[index + 1]
  if (next !== undefined && next.value === value && !isAnother(next.userKey, userKey)) {
    next.from = Math.min(next.from, earliest)
    return extend(next, report)
  }
  if (reported.length >= valuesKept) return undefined
  const made = { value, from: earliest, until: at, userKey, anonymousId, views: [view] }
  reported.splice(index + 1, 0, made)
  return made
}

function extend(reported: ReportedValue, { at, userKey, anonymousId, view }: Report): ReportedValue {
  if (reported.userKey === '') reported.userKey = userKey
  if (reported.anonymousId === '') reported.anonymousId = anonymousId
  reported.until = Math.max(reported.until, at)
  if (!reported.views.includes(view)) {
    reported.views.push(view)
    if (reported.views.length > viewsKept) reported.views.shift()
  }
  return reported
}

/** The value in effect at a moment, if it was reported for this user. */
export function valueAt(
  reported: readonly ReportedValue[],
  { at, userKey }: { at: number; userKey: string },
): ReportedValue | undefined {
  const found = reported.findLast(({ from }) => from <= at)
  return found === undefined || isAnother(found.userKey, userKey) ? undefined : found
}

/** An empty key may be the same user, because pages start before sign-in. */
function isAnother(one: string, other: string): boolean {
  return one !== '' && other !== '' && one !== other
}
