import { type ReactNode, use, useCallback } from 'react'
import type { Refusal } from '../ui/refusal.ts'
import { ShorterRange } from '../ui/text/shorter-range.ts'
import { TimeZone } from '../ui/text/time.tsx'
import { timeText } from '../ui/text/time-text.ts'
import { useScope, useSetScope } from './scope-context.ts'
import { isMoving, labelOfRange, rangeOf } from './time-range.ts'

/** Wherever a question is too large, the shorter time that the server offers is one click away. */
export function ShorterRangeOffer({ children }: { children: ReactNode }) {
  const { range } = useScope()
  const setScope = useSetScope()
  const timeZone = use(TimeZone)
  const offer = useCallback(
    (shorter: Refusal['shorter']) => {
      if (shorter === undefined) return undefined
      const bounds = { from: Date.parse(shorter.from), to: Date.parse(shorter.to) }
      const t = rangeOf(bounds, isMoving(range))
      const label = labelOfRange(t, (at) => timeText(at, Date.now(), timeZone))
      return { label: label.replace(/^L/, 'the l'), choose: () => setScope({ t }) }
    },
    [range, setScope, timeZone],
  )
  return <ShorterRange value={offer}>{children}</ShorterRange>
}
