// Profiles of some views of a visit, as the SDK would send them: samples every 10 ms while scripts run, in bursts
// after the view, the API response and user input.

import type { Profile, ProfileHeader } from '@telltale/core/contract/attachments'
import type { EventContext } from '@telltale/core/contract/events'
import { samplePosition } from '@telltale/core/keys'
import type { Random } from './random.ts'
import type { TapeEvent, TapeOptions } from './tape.ts'
import { type CodeLocation, type Moment, type Work, workOf } from './work.ts'

export interface GeneratedProfile {
  header: ProfileHeader
  tables: Profile
}

const interval = 10
const longest = 60_000
const longFrame = 50
/** The browser gets a pause between two tasks. */
const breath = 4
const when: Record<Moment, readonly [least: number, most: number]> = {
  render: [20, 90],
  answer: [260, 900],
  click: [2_500, 9_000],
}

/** Only for Chromium: other browsers cannot sample. `share`: of sessions. */
export function generateProfiles(
  reported: readonly TapeEvent[],
  {
    random,
    person,
    shop,
    scripts,
    flags,
  }: Pick<TapeOptions, 'random' | 'person' | 'shop' | 'scripts' | 'flags'>,
  share: number,
): GeneratedProfile[] {
  const session = reported[0]?.context.session
  if (person.engine !== 'chromium' || session === undefined || samplePosition(session) >= share) return []
  const on = {
    gallery: flags.get('new-gallery')?.value === true,
    onePage: flags.get('checkout-v2')?.value === 'one-page',
    hybrid: flags.get('hybrid-search')?.value === true,
  }
  return viewsOf(reported).flatMap(({ context, startedAt, endedAt }) => {
    const duration = Math.min(longest, endedAt - startedAt)
    const work = workOf(context.page ?? '', on)
    const tables = tablesOf(work, { random, slowness: person.slowness, duration }, (place) => {
      const found = place.length === 1 ? undefined : scripts.locationOf(...place)
      return found && { ...found, file: `${shop}/${found.file}` }
    })
    if (tables === undefined) return []
    return [{ header: headerOf({ ...context, index: 0 }, startedAt, duration), tables }]
  })
}

function headerOf(context: EventContext, startedAt: number, duration: number): ProfileHeader {
  return { context, profile: { startedAt, duration, interval, format: 'telltale-profile-1' } }
}

interface SeenView {
  /** Includes every flag evaluated in the view. */
  context: EventContext
  startedAt: number
  endedAt: number
}

function viewsOf(reported: readonly TapeEvent[]): SeenView[] {
  const views = new Map<string, SeenView>()
  for (const { at, context } of reported) {
    if (context.view === undefined) continue
    const known = views.get(context.view)
    views.set(context.view, { context, startedAt: known?.startedAt ?? at, endedAt: at })
  }
  return [...views.values()]
}

interface Machine {
  random: Random
  slowness: number
  duration: number
}

type FindPlace = (place: CodeLocation) => { file: string; line: number; column: number } | undefined

function tablesOf(work: readonly Work[], machine: Machine, find: FindPlace): Profile | undefined {
  const tables = startTables(find)
  const { random, slowness, duration } = machine
  const samples: number[] = []
  const longFrames: number[] = []
  let before = 0
  for (const moment of ['render', 'answer', 'click'] as const) {
    const [least, most] = when[moment]
    let at = Math.max(before + breath, Math.round(random.between(least, most)))
    if (at >= duration) break
    const begun = at
    for (const { stack, ms } of work.filter((each) => each.moment === moment)) {
      const count = Math.floor(random.around(ms * slowness, 0.45) / interval + random.next())
      const place = count > 0 ? tables.stackOf(stack) : -1
      for (let sample = 0; sample < count && place >= 0; sample++) {
        samples.push(at - before, place)
        before = at
        at += interval
      }
    }
    if (at === begun) continue
    samples.push(at - before, -1)
    before = at
    if (at - begun > longFrame) longFrames.push(begun, at - begun)
  }
  return samples.length === 0 || tables.isEmpty() ? undefined : { ...tables.tables, samples, longFrames }
}

/** Stores each string, function and stack once. Functions that are not in the build are omitted. */
function startTables(find: FindPlace) {
  const [texts, frames, stacks]: [string[], number[], number[]] = [[], [], []]
  const places = new Map<string, number>()
  const once = (key: string, add: () => number): number => {
    const place = places.get(key) ?? add()
    places.set(key, place)
    return place
  }
  const textOf = (text: string) => once(`text ${text}`, () => texts.push(text) - 1)
  const frameOf = (place: CodeLocation): number =>
    once(`frame ${place.join(' ')}`, () => {
      const found = find(place)
      if (place.length > 1 && found === undefined) return -1
      if (found === undefined) frames.push(textOf(place[0]), -1, 0, 0)
      else frames.push(textOf(''), textOf(found.file), found.line, found.column)
      return frames.length / 4 - 1
    })
  return {
    tables: { texts, frames, stacks },
    isEmpty: () => stacks.length === 0,
    stackOf(stack: readonly CodeLocation[]): number {
      let caller = -1
      for (const place of stack) {
        const frame = frameOf(place)
        if (frame < 0) continue
        const above = caller
        caller = once(`stack ${above} ${frame}`, () => stacks.push(frame, above) / 2 - 1)
      }
      return caller
    },
  }
}
