// Converts a profile of Datadog's client, which spans several views, to one profile per view. The tables are rebuilt
// from the samples of each view; an inconsistent profile is rejected.

import type { Profile } from '../../contract/attachments.ts'
import { limits } from '../../limits.ts'
import { idIn, isObject } from '../json.ts'

export interface ProfileOfView {
  view: string | undefined
  name: string
  /** Client time, milliseconds since 1970. */
  startedAt: number
  duration: number
  interval: number
  tables: Profile
}

interface Trace {
  resources: readonly unknown[]
  frames: readonly unknown[]
  stacks: readonly unknown[]
}

interface View {
  id: string | undefined
  name: string
  from: number
  to: number
}

interface Sample {
  at: number
  /** -1: idle. */
  stack: number
}

const longest = 10 * 60_000
const viewsAtMost = 100
const longestInterval = 1_000

/** Undefined when it is not a valid profile. */
export function convertProfile(given: unknown): ProfileOfView[] | undefined {
  if (!isObject(given)) return undefined
  const [from, to, origin] = [given.startClocks, given.endClocks, given.clocksOrigin].map(readClocks)
  if (from === undefined || to === undefined || origin === undefined) return undefined
  const duration = to.relative - from.relative
  if (duration < 0 || duration > longest || listOf(given.samples).length > limits.profileNumbers / 2) {
    return undefined
  }
  const trace = {
    resources: listOf(given.resources),
    frames: listOf(given.frames),
    stacks: listOf(given.stacks),
  }
  const samples = readSamples(given.samples)
  const found: ProfileOfView[] = []
  let numbers = 0
  for (const view of readViews(given.views, { from: from.relative, to: to.relative })) {
    const own = samples.filter(({ at }) => at >= view.from && at < view.to)
    if (own.every(({ stack }) => stack < 0)) continue
    const tables = createTables(trace)
    const flat = tables && writeSamples(own, view.from, tables.stackOf)
    if (flat === undefined) return undefined
    const written = tables.written()
    // Each view gets separate tables: one deep stack in a hundred views would multiply the size by a hundred.
    numbers += written.frames.length + written.stacks.length
    if (numbers > limits.profileNumbers) return undefined
    found.push({
      view: view.id,
      name: view.name,
      startedAt: origin.timeStamp - origin.relative + view.from,
      duration: view.to - view.from,
      interval: readInterval(given.sampleInterval),
      tables: { ...written, samples: flat, longFrames: readLongTasks(given.longTasks, view) },
    })
  }
  return found
}

/** Milliseconds between two samples; implausible values are replaced by the default. */
function readInterval(value: unknown): number {
  const interval = numberOf(value) ?? 0
  return interval > 0 && interval <= longestInterval ? interval : limits.profileInterval
}

function readClocks(value: unknown): { relative: number; timeStamp: number } | undefined {
  if (!isObject(value)) return undefined
  const [relative, timeStamp] = [numberOf(value.relative), numberOf(value.timeStamp)]
  return relative === undefined || timeStamp === undefined ? undefined : { relative, timeStamp }
}

function readSamples(value: unknown): Sample[] {
  return listOf(value)
    .filter(isObject)
    .flatMap(({ timestamp, stackId }) => {
      const at = numberOf(timestamp)
      return at === undefined ? [] : [{ at, stack: indexOf(stackId) ?? -1 }]
    })
    .sort((one, other) => one.at - other.at)
}

/** Each view lasts until the next one begins. Samples before the first view are dropped. */
function readViews(value: unknown, whole: { from: number; to: number }): View[] {
  const begun = listOf(value)
    .filter(isObject)
    .slice(0, viewsAtMost)
    .flatMap(({ viewId, viewName, startClocks }) => {
      const clocks = readClocks(startClocks)
      const id = idIn({ viewId }, 'viewId')
      if (clocks === undefined || id === undefined) return []
      return [{ id, name: typeof viewName === 'string' ? viewName : '', from: clocks.relative }]
    })
    .sort((one, other) => one.from - other.from)
  if (begun.length === 0) return [{ id: undefined, name: '', ...whole }]
  return begun
    .map((view, index) => ({
      ...view,
      from: Math.max(whole.from, view.from),
      // Inclusive end: the last sample may be taken exactly then. Views that begin later are not part of this profile.
      to: Math.min(begun[index + 1]?.from ?? whole.to + 1, whole.to + 1),
    }))
    .filter(({ from, to }) => to > from)
}

function readLongTasks(value: unknown, view: View): number[] {
  return listOf(value)
    .filter(isObject)
    .flatMap(({ startClocks, duration }) => {
      const at = readClocks(startClocks)?.relative
      const span = numberOf(duration)
      if (at === undefined || span === undefined || at < view.from || at >= view.to) return []
      return [Math.round(at - view.from), Math.min(longest, Math.max(0, Math.round(span)))]
    })
}

/** Rounds the times since the start instead of the gaps, so rounding errors do not accumulate. */
function writeSamples(
  samples: readonly Sample[],
  from: number,
  stackOf: (stack: number) => number | undefined,
): number[] | undefined {
  const flat: number[] = []
  let last = 0
  let isIdle = true
  for (const { at, stack } of samples) {
    const written = stack < 0 ? -1 : stackOf(stack)
    if (written === undefined) return undefined
    // Keep only the first of consecutive idle samples.
    if (written < 0 && isIdle) continue
    isIdle = written < 0
    const now = Math.max(last, Math.round(at - from))
    flat.push(now - last, written)
    last = now
  }
  return flat
}

function createTables({ resources, frames, stacks }: Trace) {
  const texts = new Map<string, number>()
  const flatFrames: number[] = []
  const flatStacks: number[] = []
  const frameNumbers = new Map<number, number>()
  const stackNumbers = new Map<number, number>()
  const textOf = (text: string) => {
    const known = texts.get(text) ?? texts.size
    texts.set(text, known)
    return known
  }
  const frameOf = (id: number): number | undefined => {
    const known = frameNumbers.get(id)
    const frame = frames[id]
    if (known !== undefined || !isObject(frame)) return known
    const resource = resources[indexOf(frame.resourceId) ?? -1]
    const name = typeof frame.name === 'string' ? frame.name : ''
    const place = [frame.line, frame.column].map((each) => indexOf(each) ?? 0)
    flatFrames.push(textOf(name), typeof resource === 'string' ? textOf(resource) : -1, ...place)
    frameNumbers.set(id, frameNumbers.size)
    return frameNumbers.size - 1
  }
  /** Undefined when the stack refers to itself or to a missing entry. */
  const stackOf = (id: number): number | undefined => {
    const waiting: number[] = []
    const isWaiting = new Set<number>()
    let at: number | undefined = id
    while (at !== undefined && !stackNumbers.has(at)) {
      const stack: unknown = stacks[at]
      if (!isObject(stack) || isWaiting.has(at)) return undefined
      waiting.push(at)
      isWaiting.add(at)
      at = indexOf(stack.parentId)
    }
    let parent = at === undefined ? -1 : (stackNumbers.get(at) ?? -1)
    for (const own of waiting.reverse()) {
      const stack: unknown = stacks[own]
      const frame = isObject(stack) ? frameOf(indexOf(stack.frameId) ?? -1) : undefined
      if (frame === undefined) return undefined
      flatStacks.push(frame, parent)
      parent = stackNumbers.size
      stackNumbers.set(own, parent)
    }
    return parent
  }
  return {
    stackOf,
    written: () => ({ texts: [...texts.keys()], frames: flatFrames, stacks: flatStacks }),
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined
const largest = 2 ** 31
const indexOf = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) < largest ? Number(value) : undefined
