import { Link } from '@tanstack/react-router'
import type { GapEvidence, GapExplanation } from '../../api/impact.ts'
import { ShareBar } from '../../charts/share-bar.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { rangeOf } from '../../shell/time-range.ts'
import { Icon } from '../../ui/icon.tsx'
import { playheadOf } from '../replays/replay-moments.tsx'
import { lookedAtText, ratioText, remarks, shareInterval, valuesText } from './evidence-words.ts'
import { type EvidenceRef, ExplanationName } from './explanation-name.tsx'

type EvidenceListProps = { evidence: GapEvidence; place: Omit<EvidenceRef, 't'> }

/** Contributors, largest share first; or that there are none, and how much was examined. */
export function EvidenceList({ evidence, place: compared }: EvidenceListProps) {
  const { explanations, missing, from, to } = evidence
  // Older events are outside the default range of the screens.
  const place = { ...compared, t: rangeOf({ from: Date.parse(from), to: Date.parse(to) }) }
  if (missing === 'all') {
    return (
      <Plain title="Events deleted">
        Retention has deleted the events of this split. Results and decisions are kept.
      </Plain>
    )
  }
  const more = remarks(evidence)
  return (
    <>
      {explanations.length === 0 ? (
        <Plain title="No contributors found">
          {lookedAtText(evidence) === 'nothing'
            ? 'No data yet.'
            : `Compared ${lookedAtText(evidence)}. None differs by more than chance, corrected for the number of comparisons.`}
        </Plain>
      ) : (
        <ol className="grid">
          {explanations.map((one) => (
            <Explanation key={keyOf(one)} one={one} place={place} />
          ))}
        </ol>
      )}
      {more.length > 0 && <p className="px-14 pt-2 pb-10 text-12 text-text-3">{more.join(' ')}</p>}
    </>
  )
}

export const evidenceNote = 'correlation, not cause; simultaneous always-valid 95% intervals'

function Plain({ title, children }: { title: string; children: string }) {
  return (
    <div className="grid gap-2 px-14 py-12">
      <p className="font-strong">{title}</p>
      <p className="max-w-[70ch] text-pretty text-text-2">{children}</p>
    </div>
  )
}

const keyOf = ({ kind, issue, request, frame, slice }: GapExplanation) =>
  JSON.stringify([kind, issue?.group, request, frame, slice])

function Explanation({ one, place }: { one: GapExplanation; place: EvidenceRef }) {
  const { share } = one
  const shareText = ratioText(one)
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-16 gap-y-4 border-line border-b px-14 py-10 last:border-b-0 max-full:grid-cols-[minmax(0,1fr)]">
      <div className="grid min-w-0 gap-2">
        <ExplanationName of={one} place={place} />
        <p className="text-pretty text-12 text-text-2">{valuesText(one, place)}</p>
      </div>
      <div className="grid min-w-0 gap-2">
        <span className="flex flex-wrap items-center gap-x-8 gap-y-2">
          <ShareBar
            share={share.estimate}
            lower={share.lower}
            upper={share.upper}
            label={`${shareText}, interval ${shareInterval(one)}`}
          />
          <b className="font-strong">{shareText}</b>
        </span>
        <span className="text-12 text-text-3">{shareInterval(one)}</span>
      </div>
      <Examples one={one} place={place} />
    </li>
  )
}

function Examples({ one, place }: { one: GapExplanation; place: EvidenceRef }) {
  const { project } = useScope()
  const { env, flag, control } = place
  const { traces = [] } = one
  if (one.replays.length + traces.length === 0)
    return <span className="text-12 text-text-3">No recorded session or trace.</span>
  return (
    <span className="flex flex-wrap items-center gap-x-16 gap-y-2 text-12">
      {one.replays.map(({ session, offset }, index) => (
        <span key={session} className="inline-flex items-center gap-6">
          <Link
            to="/p/$project/sessions/$session"
            params={{ project, session }}
            search={{ env }}
            hash={playheadOf(offset)}
            className="inline-flex min-h-24 items-center gap-4 text-accent hover:underline"
          >
            <Icon name="session" />
            Typical replay {index + 1}
          </Link>
          <Link
            to="/p/$project/sessions/$session/similar"
            params={{ project, session }}
            search={{ env, flag, control }}
            className="inline-flex min-h-24 items-center text-text-2 underline hover:text-text"
          >
            <span className="sr-only">Typical replay {index + 1} </span>compare with a similar session
          </Link>
        </span>
      ))}
      {traces.map(({ traceId, spanId }, index) => (
        <Link
          key={`${traceId} ${spanId}`}
          to="/p/$project/traces/$trace"
          params={{ project, trace: traceId }}
          search={{ env, t: place.t, span: spanId ?? undefined }}
          className="inline-flex min-h-24 items-center gap-4 text-accent hover:underline"
        >
          <Icon name="trace" />
          Typical trace {index + 1}
        </Link>
      ))}
    </span>
  )
}
