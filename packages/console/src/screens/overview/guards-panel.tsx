import { Link } from '@tanstack/react-router'
import type { GuardedTelltale } from '../../api/telltales.ts'
import { TelltaleView } from '../../features/telltale/flag-telltale.tsx'
import { compareTelltales, isUnderGuard, needsAttention } from '../../features/telltale/telltale-words.ts'
import { useTelltales } from '../../features/telltale/use-telltale.ts'
import { useScope } from '../../shell/scope-context.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'

const shownAtMost = 8

/** Guards that need no attention. Without any: that no flag is guarded. */
export function GuardsPanel() {
  const { project, environment } = useScope()
  const guards = (useTelltales() ?? []).filter(isUnderGuard).toSorted(compareTelltales)
  const calm = guards.filter((one) => !needsAttention(one, Date.now()))
  if (guards.length === 0) return <NoGuards />

  return (
    <Panel
      title="Other guards"
      note={`${calm.length} of ${guards.length}`}
      actions={
        <Link
          to="/p/$project/flags"
          params={{ project }}
          search={{ env: environment.key, sort: 'harm' }}
          className="text-12 text-accent hover:underline"
        >
          All flags
        </Link>
      }
      flush
    >
      <ul className="py-6">
        {calm.slice(0, shownAtMost).map((one) => (
          <GuardRow key={one.rollout} telltale={one} />
        ))}
        {calm.length === 0 && <li className="px-14 py-6 text-text-2">All need attention.</li>}
      </ul>
    </Panel>
  )
}

function GuardRow({ telltale }: { telltale: GuardedTelltale }) {
  const { project } = useScope()
  return (
    <li className="flex min-h-32 items-center justify-between gap-12 px-14">
      <Link
        to="/p/$project/flags/$flag/impact"
        params={{ project, flag: telltale.flag }}
        search={{ env: telltale.env }}
        className="min-w-0 truncate font-code text-12 hover:underline"
        title={telltale.flag}
      >
        {telltale.flag}
      </Link>
      <TelltaleView telltale={telltale} look="small" />
    </li>
  )
}

function NoGuards() {
  const { project } = useScope()
  return (
    <Panel title="Guards" note="none running">
      <div className="grid justify-items-start gap-10">
        <p className="text-pretty text-text-2">
          No guarded rollout is running, so there is no automatic rollback. Flag changes are marked on the
          charts.
        </p>
        <Link to="/p/$project/flags" params={{ project }} className={buttonClass('normal', 'small')}>
          All flags
        </Link>
      </div>
    </Panel>
  )
}
