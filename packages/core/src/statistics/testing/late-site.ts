// A simulated site's first events by day, with harm that begins on a given day.
import type { StageEvents } from '../event-share.ts'
import type { DayEvents } from '../late-harm.ts'
import { seededRandom } from './seeded-random.ts'

export interface LateSite {
  days: number
  perDay: number
  harmFrom: number
  times: number
}

const looksADay = 8

export interface DaysSoFar {
  /** In days. */
  after: number
  whole: StageEvents
  byDay: readonly DayEvents[]
}

/** Eight looks a day, each with all events so far. */
export function* looksAtDays(
  { days, perDay, harmFrom, times }: LateSite,
  seed: number,
): Generator<DaysSoFar> {
  const random = seededRandom(seed)
  const none = () => ({ treatment: 0, control: 0, share: 0.5 })
  const whole = none()
  const byDay: { day: number; stages: [StageEvents] }[] = []
  for (let look = 0; look < looksADay * days; look += 1) {
    const day = Math.floor(look / looksADay)
    const isHarmed = day >= harmFrom
    const mean = (perDay / looksADay) * (isHarmed ? (1 + times) / 2 : 1)
    const events = Math.max(0, Math.round(mean + Math.sqrt(mean) * random.normal()))
    if (byDay.at(-1)?.day !== day) byDay.push({ day, stages: [none()] })
    const today = byDay.at(-1)?.stages[0] ?? whole
    for (let event = 0; event < events; event += 1) {
      const arm = random.uniform() < (isHarmed ? times / (1 + times) : 0.5) ? 'treatment' : 'control'
      whole[arm] += 1
      today[arm] += 1
    }
    yield { after: (look + 1) / looksADay, whole, byDay }
  }
}
