// Which visits are replayable. The user comes first, then a story, and only then the recording of it with this user's
// variations: so each variation of a split is recorded as often as it is served.

import type { Person } from './people.ts'
import type { Random } from './random.ts'
import type { Recording } from './recording.ts'
import type { DecidedFlags, Period } from './tape.ts'
import { isWithoutScheduler, isWithWheels } from './troubles.ts'

interface Visit {
  random: Random
  person: Person
  startedAt: number
  flags: DecidedFlags
  outage: Period
  quickViewBroken: Period
}

const stories: readonly (readonly [Recording['story'], number])[] = [
  ['categories', 30],
  ['product', 45],
  ['search', 10],
  ['order', 15],
]
/** Slightly more than one in ten: tablets, for example, are never recorded. */
const triedShare = 0.105

/** Undefined for a visit without a replay. During the outage all orders that are recorded fail. */
export function chooseRecording(recordings: readonly Recording[], visit: Visit): Recording | undefined {
  const { random, startedAt, outage } = visit
  const isOut = startedAt >= outage.from && startedAt < outage.until
  if (!isOut && !random.isLikely(triedShare)) return undefined

  const story = isOut ? 'order-in-vain' : random.weighted(stories)
  const fitting = recordings.filter((recording) => recording.story === story && fits(recording, visit))
  return fitting.length === 0 ? undefined : random.pick(fitting)
}

function fits({ device, flags: recorded, events }: Recording, visit: Visit): boolean {
  const { person, flags, startedAt, quickViewBroken } = visit
  const { engine, traits } = person
  if (traits.device !== device) return false
  const isSame = Object.entries(recorded).every(
    ([flag, variation]) => flags.get(flag)?.read.variation === variation,
  )
  const isOfWheels = events.some((event) => event.kind === 'error' && isWithWheels(event.message))
  if (isOfWheels && startedAt >= quickViewBroken.until) return false
  // One-page checkout needs a scheduler, which Safari lacks.
  const needsScheduler = recorded['checkout-v2'] === 'one-page'
  const lacksScheduler = events.some((event) => event.kind === 'error' && isWithoutScheduler(event.message))
  return isSame && (!needsScheduler || lacksScheduler === (engine === 'safari'))
}
