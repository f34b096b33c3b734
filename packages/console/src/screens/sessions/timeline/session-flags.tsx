import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { flagsQuery } from '../../../api/flags.ts'
import type { Session } from '../../../api/sessions.ts'
import { FlagLink } from '../../../features/flags/flag-link.tsx'
import { useScope } from '../../../shell/scope-context.ts'
import { lengthText } from '../../../ui/text/measure-text.ts'
import { ReadVariation } from '../read-variation.tsx'
import { useVariationOrder } from '../use-variation-orders.ts'
import { listHeightClass } from './moment-list.tsx'
import { type Playhead, usePlayheadAt } from './playhead-place.ts'

type SimilarSessionLinksProps = { session: Session; flag: string; variation: string }

/** A link to the most similar session of a user with another variation, side by side. */
function SimilarSessionLinks({ session, flag, variation }: SimilarSessionLinksProps) {
  const { project, environment } = useScope()
  const flags = useInfiniteQuery(flagsQuery(project, {}))
  const known = flags.data?.pages.flatMap(({ items }) => items).find(({ key }) => key === flag)
  const others = known?.variations.filter(({ key }) => key !== variation) ?? []
  if (!session.hasReplay || others.length === 0) return null
  return (
    <span className="flex flex-wrap items-center gap-x-8 text-12 text-text-3">
      Compare with a similar session with
      {others.slice(0, shownAtMost).map(({ key }) => (
        <Link
          key={key}
          to="/p/$project/sessions/$session/similar"
          params={{ project, session: session.id }}
          search={{ env: environment.key, flag, control: key }}
          className="inline-flex min-h-24 items-center font-code text-accent hover:underline"
        >
          {key}
        </Link>
      ))}
    </span>
  )
}

/** Shown at most of a flag's other variations. */
const shownAtMost = 5

type SessionFlagsProps = {
  session: Session
  /** Without a position, the end of the session applies. */
  playhead: Playhead
  onSeek: (at: number) => void
}

/** Milliseconds between two updates during playback. */
const followStep = 100

/** The variations in effect at an instant, with the ones before and after. */
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
            {variation !== undefined && (
              <SimilarSessionLinks session={session} flag={flag} variation={variation} />
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

interface FlagInForce {
  flag: string
  /** Undefined: it is evaluated later. */
  variation: string | undefined
  /** All its variations, in order of time. */
  reads: { at: number; variation: string; split: string | null }[]
}

/** Every flag of a session by name, with the variation in effect this many milliseconds after its start. */
function flagsAt(
  { startedAt, flagChanges }: Pick<Session, 'startedAt' | 'flagChanges'>,
  at: number,
): FlagInForce[] {
  const start = Date.parse(startedAt)
  const flags = new Map<string, FlagInForce>()
  for (const { flag, variation, at: instant, split } of flagChanges) {
    const known = flags.get(flag) ?? { flag, variation: undefined, reads: [] }
    const read = { at: Math.max(0, Date.parse(instant) - start), variation, split }
    known.reads.push(read)
    if (read.at <= at) known.variation = variation
    flags.set(flag, known)
  }
  return [...flags.values()].sort((a, b) => a.flag.localeCompare(b.flag, 'en'))
}
