import { Link } from '@tanstack/react-router'
import type { FlagTelltale, GuardedTelltale } from '../../api/telltales.ts'
import { Telltale } from '../../charts/telltale.tsx'
import { Verdict } from '../../charts/verdict.tsx'
import { ProtectButton } from '../../features/rollout/protect-button.tsx'
import { comparisonOf } from '../../features/telltale/telltale-card.tsx'
import {
  evidenceOfTelltale,
  harmText,
  stateOfTelltale,
  telltaleText,
  unguardedNote,
} from '../../features/telltale/telltale-words.ts'
import { UnguardedTag } from '../../features/telltale/unguarded-tag.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Time } from '../../ui/text/time.tsx'

/** A flag whose verdict needs attention. */
export function GuardItem({ telltale }: { telltale: FlagTelltale }) {
  const { project } = useScope()
  const { flag } = telltale
  const state = stateOfTelltale(telltale)
  const text = telltaleText(telltale)
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-4 px-14 py-10">
      <span className="flex items-center justify-between gap-8">
        <Link
          to="/p/$project/flags/$flag/impact"
          params={{ project, flag }}
          search={comparisonOf(telltale)}
          className="min-w-0 truncate font-code font-medium text-12 hover:underline"
          title={flag}
        >
          {flag}
        </Link>
        <span className="flex items-center gap-6">
          <UnguardedTag telltale={telltale} />
          <Verdict state={state} />
        </span>
      </span>
      <span className="flex flex-wrap items-center justify-between gap-x-8 gap-y-6">
        <Telltale evidence={evidenceOfTelltale(telltale)} text={text ?? ''} />
        {telltale.kind === 'guarded' ? (
          <Link
            to="/p/$project/flags/$flag/impact"
            params={{ project, flag }}
            search={comparisonOf(telltale)}
            className={buttonClass('normal', 'small')}
            aria-label={`${state === 'down' ? 'Details' : 'Open guard'} of ${flag}`}
          >
            {state === 'down' ? 'Details' : 'Open guard'}
          </Link>
        ) : (
          <ProtectButton telltale={telltale} />
        )}
      </span>
      {text && <span className="font-medium text-12">{text}</span>}
      <span className="text-12 text-text-2">
        {telltale.kind === 'guarded' ? (
          <Where telltale={telltale} />
        ) : (
          <span title={unguardedNote}>
            {[harmText(telltale), `${telltale.treatment} against ${telltale.control}`]
              .filter(Boolean)
              .join(' · ')}
          </span>
        )}
      </span>
    </li>
  )
}

function Where({ telltale }: { telltale: GuardedTelltale }) {
  const { state, treatment, endedAt, stage, stages, weight } = telltale
  if (state === 'holding-approval')
    return (
      <>
        Stage {stage + 2} of {stages} waits for approval
      </>
    )
  if (state === 'rolled-back') {
    return (
      <>
        {treatment} → 0%, <Time at={endedAt} />
      </>
    )
  }
  return (
    <>
      Stage {stage + 1} of {stages} · {weight / 1_000}% get {treatment}
    </>
  )
}
