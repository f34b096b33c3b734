import type { ReactNode } from 'react'
import type { MeasuredRequest } from '../../api/requests.ts'
import { Duration } from '../../features/rates/duration.tsx'
import { rateText } from '../../features/rates/rate-text.ts'
import { bytesText, countText, durationText, shareText } from '../../ui/text/measure-text.ts'

/** The numbers of the whole period. */
export function RequestNumbers({ request }: { request: MeasuredRequest }) {
  const { count, perMinute, failed, failedShare, p50, p75, p95, meanBytes, sessions } = request
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(128px,1fr))] gap-x-16 gap-y-12">
      <Figure name="Requests" note={`${rateText(perMinute)} per minute, in ${countText(sessions)} sessions`}>
        {countText(count)}
      </Figure>
      <Figure name="Failed" note={`${countText(failed)} of them`}>
        {failedShare === null ? '–' : shareText(failedShare)}
      </Figure>
      <Figure
        name="Duration p75"
        note={p50 !== null && p95 !== null && `p50 ${durationText(p50)}, p95 ${durationText(p95)}`}
      >
        <Duration value={p75} of={count} />
      </Figure>
      <Figure name="Mean size" note="Known sizes only">
        {meanBytes === null ? 'not recorded' : bytesText(meanBytes)}
      </Figure>
    </dl>
  )
}

function Figure({ name, note, children }: { name: string; note: ReactNode; children: ReactNode }) {
  return (
    <div className="grid content-start gap-2">
      <dt className="text-12 text-text-3">{name}</dt>
      <dd className="text-17">{children}</dd>
      <dd className="text-12 text-text-3">{note}</dd>
    </div>
  )
}
