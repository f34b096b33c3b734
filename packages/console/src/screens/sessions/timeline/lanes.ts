// Where the parts of a session lie on its time line, in pixels of a given width. Pure: the picture only paints what this says.

import type { Session } from '../../../api/sessions.ts'
import type { Moment } from './moments.ts'

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
  /** Heights from 0 to 1, side by side over the whole width. */
  readonly activity: readonly number[]
  readonly idle: readonly Bar[]
  readonly trouble: readonly Mark[]
  readonly slow: readonly Bar[]
  readonly network: readonly Bar[]
  readonly ticks: readonly { x: number; at: number }[]
}

interface Asked {
  session: Pick<Session, 'startedAt' | 'length' | 'viewList' | 'flagChanges'>
  moments: readonly Moment[]
  width: number
  idleText: (span: number) => string
}

/** A session of one moment is a point, and a line all the same; the last request may end after the last event. */
const shortestSpan = 1_000

export function spanOfLanes({ length }: Pick<Session, 'length'>, moments: readonly Moment[]): number {
  return moments.reduce(
    (span, { at, event }) => Math.max(span, event.kind === 'resource' ? at + event.duration : at),
    Math.max(shortestSpan, length),
  )
}

const activityBin = 7
const leastBar = 2
const slowVitals = new Set(['LCP', 'INP'])
/** Nothing at all for this long has a name. */
const idleLeast = 10_000
const idleLeastWidth = 56

export function layLanes({ session, moments, width, idleText }: Asked): Lanes {
  const length = spanOfLanes(session, moments)
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
    activity: activityOf(moments, { length, width }),
    idle: idleOf(moments, length)
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
    ticks: ticksOf(length, width).map((at) => ({ at, x: x(at) })),
  }
}

const durationOf = ({ event }: Moment) => (event.kind === 'vital' ? event.value : event.duration)

/** Bars that lie over each other are one, so that ten thousand requests are no ten thousand elements. */
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

function activityOf(
  moments: readonly Moment[],
  { length, width }: { length: number; width: number },
): number[] {
  const bins = Array.from({ length: Math.max(1, Math.floor(width / activityBin)) }, () => 0)
  for (const { kind, at } of moments) {
    if (kind !== 'action' && kind !== 'custom' && kind !== 'page') continue
    const bin = Math.min(bins.length - 1, Math.floor((at / length) * bins.length))
    bins[bin] = (bins[bin] ?? 0) + 1
  }
  const most = Math.max(1, ...bins)
  return bins.map((count) => count / most)
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
