// What a page told of one flag, in the order of time: which value, from when on, when it was told last, and for whom. What
// arrives late finds its place; a value that somebody told before is theirs alone, and is not carried on to another person.

export interface ReportedValue {
  /** `valueText` of it. */
  value: string
  from: number
  /** When it was told last. */
  until: number
  /** Nothing until somebody signed in. */
  userKey: string
  anonymousId: string
  /** The views that told it, the last few. */
  views: string[]
}

export interface Report {
  value: string
  /** It was evaluated at some moment from here … */
  since: number
  /** … to here, when it still held. */
  at: number
  userKey: string
  anonymousId: string
  view: string
}

/** More changes of one flag in one session are no evaluation that anybody could compare. */
const valuesKept = 16

const viewsKept = 8

/** Takes it in where it belongs, and gives what it became a part of; nothing when it is not believed. */
export function addReport(told: ReportedValue[], report: Report): ReportedValue | undefined {
  const { value, since, at, userKey, anonymousId, view } = report
  const index = told.findLastIndex(({ from }) => from <= at)
  const before = told[index]
  if (before !== undefined && before.value === value && !isAnother(before.userKey, userKey)) {
    return extend(before, report)
  }
  // Two values of one moment: the one that was told first.
  if (before !== undefined && at <= before.until) return undefined

  const earliest = before === undefined ? since : Math.max(since, before.until + 1)
  const next = told[index + 1]
  if (next !== undefined && next.value === value && !isAnother(next.userKey, userKey)) {
    next.from = Math.min(next.from, earliest)
    return extend(next, report)
  }
  if (told.length >= valuesKept) return undefined
  const made = { value, from: earliest, until: at, userKey, anonymousId, views: [view] }
  told.splice(index + 1, 0, made)
  return made
}

function extend(told: ReportedValue, { at, userKey, anonymousId, view }: Report): ReportedValue {
  if (told.userKey === '') told.userKey = userKey
  if (told.anonymousId === '') told.anonymousId = anonymousId
  told.until = Math.max(told.until, at)
  if (!told.views.includes(view)) {
    told.views.push(view)
    if (told.views.length > viewsKept) told.views.shift()
  }
  return told
}

/** What holds at a moment, for whoever it was told of. */
export function valueAt(
  told: readonly ReportedValue[],
  { at, userKey }: { at: number; userKey: string },
): ReportedValue | undefined {
  const found = told.findLast(({ from }) => from <= at)
  return found === undefined || isAnother(found.userKey, userKey) ? undefined : found
}

/** Before anybody is named, it may be the same person: pages begin without. */
function isAnother(one: string, other: string): boolean {
  return one !== '' && other !== '' && one !== other
}
