import { stepLength, stepsOf, timeSteps } from '@telltale/core/query/time-buckets'
import { type TimeFrame, xOf } from './time-frame.ts'

interface TimeTick {
  readonly x: number
  readonly text: string
}

const labelWidth = 64
const ticksAtLeast = 3
const dayLength = 86_400_000

/** Round times in the time zone, without overlapping labels: `14:30`, and the date at the start of a day. */
export function timeTicks(frame: TimeFrame, timeZone: string | undefined): TimeTick[] {
  const zone = timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const most = Math.max(2, Math.floor(frame.width / labelWidth))
  const span = frame.to - frame.from
  const fitting = timeSteps.findIndex((one) => span / stepLength[one] <= most)
  const coarse = timeSteps[fitting] ?? '7d'
  // Prefer a few labels of finer steps to hardly any.
  const step = span / stepLength[coarse] < ticksAtLeast ? (timeSteps[fitting - 1] ?? coarse) : coarse
  const starts = stepsOf(frame, step, zone)
    .map(({ from }) => from)
    .filter((at) => at >= frame.from)
  const every = Math.ceil(starts.length / most)
  const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: zone })
  const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: zone })
  const isDay = (at: number) => stepLength[step] >= dayLength || clock.format(at) === '00:00'
  const textOf = (at: number) => (isDay(at) ? date.format(at) : clock.format(at))
  // Without the date, the same hour of two days would give the same label twice.
  const offset = Math.max(0, starts.findIndex(isDay)) % every
  return starts
    .filter((_, index) => index % every === offset)
    .map((at) => ({ x: xOf(frame, at), text: textOf(at) }))
}
