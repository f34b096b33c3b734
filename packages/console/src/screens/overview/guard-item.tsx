import { Link } from '@tanstack/react-router'
import type { FlagTelltale } from '../../api/telltales.ts'
import { Telltale } from '../../charts/telltale.tsx'
import { Verdict } from '../../charts/verdict.tsx'
import { evidenceOfTelltale, stateOfTelltale, telltaleText } from '../../features/telltale/telltale-words.ts'
import { useScope } from '../../shell/scope-context.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Time } from '../../ui/text/time.tsx'

/** A flag whose guard needs attention. */
export function GuardItem({ telltale }: { telltale: FlagTelltale }) {
  const { project } = useScope()
  const { flag, env } = telltale
  const state = stateOfTelltale(telltale)
  const text = telltaleText(telltale)
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-4 px-14 py-10">
      <span className="flex items-center justify-between gap-8">
        <Link
          to="/p/$project/flags/$flag/impact"
          params={{ project, flag }}
          search={{ env }}
          className="min-w-0 truncate font-code font-medium text-12 hover:underline"
          title={flag}
        >
          {flag}
        </Link>
        <Verdict state={state} />
      </span>
      <span className="flex items-center justify-between gap-8">
        <Telltale evidence={evidenceOfTelltale(telltale)} text={text ?? ''} />
        <Link
          to="/p/$project/flags/$flag/impact"
          params={{ project, flag }}
          search={{ env }}
          className={buttonClass('normal', 'small')}
          aria-label={`${state === 'down' ? 'Details' : 'Open guard'} of ${flag}`}
        >
          {state === 'down' ? 'Details' : 'Open guard'}
        </Link>
      </span>
      {text && <span className="font-medium text-12">{text}</span>}
      <span className="text-12 text-text-2">
        <Where telltale={telltale} />
      </span>
    </li>
  )
}

function Where({ telltale }: { telltale: FlagTelltale }) {
  const { state, treatment, endedAt, stage, stages, weight } = telltale
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
