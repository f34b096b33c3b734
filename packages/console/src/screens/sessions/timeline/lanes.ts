// Positions of a session's parts on its timeline, in pixels of a given width. Pure: the picture only draws the
// result.

import type { Session } from '../../../api/sessions.ts'
import type { Moment } from './moments.ts'

/** What a recording adds to a session's own events. Times are milliseconds since the session started. */
export interface RecordedSpans {
  readonly from: number
  readonly to: number
  /** Page activity, in equal parts of the recording. */
  readonly activity: readonly number[]
  readonly idle: readonly { from: number; to: number }[]
  readonly gaps: readonly { from: number; to: number; label: string }[]
}
export interface ProfiledSpan {
  readonly id: string
  readonly from: number
  readonly to: number
  readonly label: string
}
export interface NotedInstant {
  readonly at: number
  readonly label: string
  /** From the recorder, or from a member. */
  readonly by: 'recorder' | 'people'
}

export interface Bar {
  readonly from: number
  readonly width: number
  readonly label: string
  readonly isBad: boolean
}
export interface Mark {
  readonly x: number
  readonly label: string
  readonly shape: 'error' | 'frustration'
}
export interface Pennant {
  readonly x: number
  readonly flag: string
  readonly variation: string
  readonly isChange: boolean
}

export interface Lanes {
  readonly pages: readonly Bar[]
  readonly flags: readonly Pennant[]
  /** Heights from 0 to 1, evenly distributed over the whole width. */
  readonly activity: readonly number[]
  readonly idle: readonly Bar[]
  readonly trouble: readonly Mark[]
  readonly slow: readonly Bar[]
  readonly network: readonly Bar[]
  readonly profiles: readonly Bar[]
  readonly notes: readonly (NotedInstant & { x: number })[]
  readonly gaps: readonly Bar[]
  readonly ticks: readonly { x: number; at: number }[]
}

interface SpanOfLanesOptions {
  session: Pick<Session, 'startedAt' | 'length' | 'viewList' | 'flagChanges'>
  moments: readonly Moment[]
  width: number
  idleText: (span: number) => string
  recorded?: RecordedSpans | undefined
  profiles?: readonly ProfiledSpan[]
  notes?: readonly NotedInstant[]
}

/** A session of one moment still gets a width; the last request may end after the last event. */
const shortestSpan = 1_000

export function spanOfLanes(
  { length }: Pick<Session, 'length'>,
  { moments, recorded }: Pick<SpanOfLanesOptions, 'moments' | 'recorded'>,
): number {
  return moments.reduce(
    (span, { at, event }) => Math.max(span, event.kind === 'resource' ? at + event.duration : at),
    Math.max(shortestSpan, length, recorded?.to ?? 0),
  )
}

const activityBin = 7
const leastBar = 2
const slowVitals = new Set(['LCP', 'INP'])
/** Inactivity of this length is labelled. */
const idleLeast = 10_000
const idleLeastWidth = 56

export function layOutLanes(requested: SpanOfLanesOptions): Lanes {
  const { session, moments, width, idleText, recorded, profiles = [], notes = [] } = requested
  const length = spanOfLanes(session, requested)
  const start = Date.parse(session.startedAt)
  const x = (at: number) => (Math.min(Math.max(at, 0), length) / length) * width
  const span = (at: number, duration: number) => ({
    from: Math.min(x(at), width - leastBar),
    width: Math.max(leastBar, x(at + duration) - x(at)),
  })
  const bars = (fits: (moment: Moment) => boolean): Bar[] =>
    merged(
      moments.filter(fits).map((moment) => ({
        ...span(moment.at, durationOf(moment)),
        label: moment.title,
        isBad: moment.tone === 'bad',
      })),
    )
  const opened = moments.filter(({ kind }) => kind === 'page')
  const views =
    opened.length > 0
      ? opened.map(({ title: page, at }) => ({ page, at }))
      : session.viewList.map(({ page, startedAt }) => ({ page, at: Date.parse(startedAt) - start }))

  return {
    pages: views.map(({ page, at }, index) => ({
      ...span(at, (views[index + 1]?.at ?? length) - at),
      label: page,
      isBad: false,
    })),
    flags: session.flagChanges.map(({ at, flag, variation, previous }) => ({
      x: x(Date.parse(at) - start),
      flag,
      variation,
      isChange: previous !== null,
    })),
    activity: recorded
      ? spread(recorded, { length, bins: binsOf(width) })
      : activityOf(moments, { length, bins: binsOf(width) }),
    idle: (recorded?.idle ?? idleOf(moments, length))
      .map(({ from, to }) => ({ ...span(from, to - from), label: idleText(to - from), isBad: false }))
      .filter((one) => one.width >= idleLeastWidth),
    trouble: moments
      .filter(({ isTrouble, kind }) => isTrouble && kind !== 'request' && kind !== 'file')
      .map(({ at, title, kind }) => ({
        x: x(at),
        label: title,
        shape: kind === 'error' ? 'error' : 'frustration',
      })),
    slow: bars(
      ({ kind, event, tone }) =>
        kind === 'slow' || (kind === 'vital' && tone !== 'plain' && slowVitals.has(event.name)),
    ),
    network: bars(({ kind }) => kind === 'request' || kind === 'file'),
    profiles: profiles.map(({ from, to, label }) => ({
      ...span(from, to - from),
      label,
      isBad: false,
    })),
    notes: notes.map((note) => ({ ...note, x: x(note.at) })),
    gaps: (recorded?.gaps ?? []).map(({ from, to, label }) => ({
      ...span(from, to - from),
      label,
      isBad: false,
    })),
    ticks: ticksOf(length, width).map((at) => ({ at, x: x(at) })),
  }
}

const durationOf = ({ event }: Moment) => (event.kind === 'vital' ? event.value : event.duration)

/** Overlapping bars are merged, so that ten thousand requests do not become ten thousand elements. */
function merged(bars: readonly Bar[]): Bar[] {
  const kept: Bar[] = []
  for (const bar of bars) {
    const last = kept.at(-1)
    const end = last === undefined ? -1 : last.from + last.width
    if (last === undefined || last.isBad !== bar.isBad || bar.from > end + 1) kept.push(bar)
    else {
      kept[kept.length - 1] = {
        ...last,
        width: Math.max(end, bar.from + bar.width) - last.from,
        label: last.label,
      }
    }
  }
  return kept
}

const binsOf = (width: number) => Math.max(1, Math.floor(width / activityBin))

interface Binned {
  length: number
  bins: number
}

function activityOf(moments: readonly Moment[], { length, bins: count }: Binned): number[] {
  const bins = new Array<number>(count).fill(0)
  for (const { kind, at } of moments) {
    if (kind !== 'action' && kind !== 'custom' && kind !== 'page') continue
    const bin = Math.min(bins.length - 1, Math.floor((at / length) * bins.length))
    bins[bin] = (bins[bin] ?? 0) + 1
  }
  return toHeights(bins)
}

/** Distributes the parts of the recording over the bins of the whole session. */
function spread({ activity, from, to }: RecordedSpans, { length, bins: count }: Binned): number[] {
  const bins = new Array<number>(count).fill(0)
  const part = (to - from) / Math.max(1, activity.length)
  for (const [index, amount] of activity.entries()) {
    const first = binAt(from + index * part)
    const last = Math.max(first, binAt(from + (index + 1) * part - 1))
    for (let bin = first; bin <= last; bin += 1) bins[bin] = (bins[bin] ?? 0) + amount / (last - first + 1)
  }
  // Rebuilding a page records more than an hour of typing.
  return toHeights(bins.map(Math.sqrt))

  function binAt(at: number) {
    return Math.min(count - 1, Math.max(0, Math.floor((at / length) * count)))
  }
}

function toHeights(bins: readonly number[]): number[] {
  const most = bins.reduce((one, other) => Math.max(one, other), Number.EPSILON)
  return bins.map((amount) => amount / most)
}

function idleOf(moments: readonly Moment[], length: number): { from: number; to: number }[] {
  const gaps: { from: number; to: number }[] = []
  let last = 0
  for (const { at, event } of moments) {
    if (at - last >= idleLeast) gaps.push({ from: last, to: at })
    last = Math.max(last, at + (event.kind === 'resource' ? event.duration : 0))
  }
  if (length - last >= idleLeast) gaps.push({ from: last, to: length })
  return gaps
}

const tickSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200].map(
  (seconds) => seconds * 1_000,
)
const tickWidth = 84

function ticksOf(length: number, width: number): number[] {
  const most = Math.max(2, Math.floor(width / tickWidth))
  const step = tickSteps.find((one) => length / one <= most) ?? length
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, index) => index * step)
}
