import type { Session } from '../../../api/sessions.ts'
import { FlagLink } from '../../../features/flags/flag-link.tsx'
import { lengthText } from '../../../ui/text/measure-text.ts'
import { ReadVariation } from '../read-variation.tsx'
import { useVariationOrder } from '../use-variation-orders.ts'
import { flagsAt } from './flags-at.ts'
import { listHeightClass } from './moment-list.tsx'
import { type Playhead, usePlayheadAt } from './playhead-place.ts'
import { SimilarSessionLinks } from './similar-session-links.tsx'

type SessionFlagsProps = {
  session: Session
  /** Standing nowhere, it is the end of the session that counts. */
  playhead: Playhead
  onSeek: (at: number) => void
}

/** Milliseconds between two looks while it plays. */
const followStep = 100

/** The variations in force at an instant, and what they were before and became after. */
export function SessionFlags({ session, playhead, onSeek }: SessionFlagsProps) {
  const at = usePlayheadAt(playhead, followStep, Math.ceil)
  const order = useVariationOrder()
  const flags = flagsAt(session, at ?? Number.POSITIVE_INFINITY)
  if (flags.length === 0) {
    return <p className="px-14 py-20 text-text-2">No flags in this session.</p>
  }
  return (
    <div className={listHeightClass}>
      <p className="px-14 pt-8 text-12 text-text-3">{at === undefined ? 'Final' : `At ${lengthText(at)}`}</p>
      <ul>
        {flags.map(({ flag, variation, reads }) => (
          <li key={flag} className="grid gap-2 border-line border-b px-14 py-8">
            <span className="flex min-w-0 items-baseline gap-8">
              <FlagLink flag={flag} />
              {variation === undefined ? (
                <span className="text-text-3">no exposure yet</span>
              ) : (
                <ReadVariation flag={flag} variation={variation} order={order} />
              )}
            </span>
            <span className="flex flex-wrap gap-x-8 text-12 text-text-3">
              {reads.map((read) => (
                <button
                  key={`${read.at} ${read.variation}`}
                  type="button"
                  onClick={() => onSeek(read.at)}
                  className="min-h-24 cursor-pointer rounded-chip hover:text-text hover:underline"
                >
                  {lengthText(read.at)} {read.variation}
                  {read.split === null ? ', by rule' : ', at random'}
                </button>
              ))}
            </span>
            {variation !== undefined && <SimilarSessionLinks {...{ session, flag, variation }} />}
          </li>
        ))}
      </ul>
    </div>
  )
}
