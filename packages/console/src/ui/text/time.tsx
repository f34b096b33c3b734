import { createContext, use, useSyncExternalStore } from 'react'
import { ageText, aheadText, fullTimeText, timeText } from './time-text.ts'

/** The zone of displayed times: the environment's. Undefined: the browser's. */
export const TimeZone = createContext<string | undefined>(undefined)

const tick = 5_000
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

/** The current time, rounded to a few seconds. One timer for the whole page, and none while no age is shown. */
export function useNow(): number {
  return useSyncExternalStore(listen, () => now)
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  if (timer === undefined) {
    now = Date.now()
    timer = setInterval(() => {
      now = Date.now()
      for (const one of listeners) one()
    }, tick)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

type TimeProps = {
  at: string | null | undefined
  /** The text without a time. */
  none?: string
}

/** `11 min ago`, with the full time on hover. */
export function TimeAgo({ at, none = 'never' }: TimeProps) {
  const timeZone = use(TimeZone)
  const current = useNow()
  if (!at) return <span className="whitespace-nowrap text-text-3">{none}</span>
  return (
    <time dateTime={at} title={fullTimeText(Date.parse(at), timeZone)} className="whitespace-nowrap">
      {ageText(Date.parse(at), current, timeZone)}
    </time>
  )
}

/** `in 23 h`, with the full time on hover. */
export function TimeUntil({ at }: { at: string }) {
  const timeZone = use(TimeZone)
  const current = useNow()
  return (
    <time dateTime={at} title={fullTimeText(Date.parse(at), timeZone)} className="whitespace-nowrap">
      {aheadText(Date.parse(at), current)}
    </time>
  )
}

/** `18 Nov 21:30`, with the full time on hover. */
export function Time({ at, none = 'never' }: TimeProps) {
  const timeZone = use(TimeZone)
  const current = useNow()
  if (!at) return <span className="whitespace-nowrap text-text-3">{none}</span>
  return (
    <time dateTime={at} title={fullTimeText(Date.parse(at), timeZone)} className="whitespace-nowrap">
      {timeText(Date.parse(at), current, timeZone)}
    </time>
  )
}
