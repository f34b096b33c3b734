import { Link } from '@tanstack/react-router'
import type { RolloutDetail } from '../../api/rollouts.ts'
import {
  countsText,
  excessText,
  goneText,
  neededText,
  type ProvenHarm,
  verdictLooks,
} from '../../features/rollout/proof-words.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Panel } from '../../ui/panel.tsx'
import { Badge } from '../../ui/tag.tsx'
import { countOf } from '../../ui/text/measure-text.ts'

/** Whether what explained an earlier rollback is gone. */
export function ProofPanel({ rollout }: { rollout: RolloutDetail }) {
  const { project } = useScope()
  const { proof, env } = rollout
  if (proof === null) return null
  const { label, tone } = verdictLooks[proof.verdict]
  return (
    <Panel
      title="Proof of the fix"
      note="required before a stage ends"
      actions={<Badge tone={tone}>{label}</Badge>}
      footer={
        <>
          Harm as measured in the{' '}
          <Link
            to="/p/$project/rollouts/$rollout"
            params={{ project, rollout: proof.of }}
            className="text-accent hover:underline"
          >
            rollout that was rolled back
          </Link>
          . Fixed: at least 80% of it is surely gone.
          {proof.leftOut > 0 &&
            ` ${countOf(proof.leftOut, 'other contributor')} cannot be proven by affected users.`}
        </>
      }
    >
      <ul className="grid gap-16">
        {proof.harms.map((harm) => (
          <HarmItem
            key={harm.issue?.group ?? harm.request?.endpoint}
            harm={harm}
            env={env}
            isAlone={proof.harms.length === 1}
          />
        ))}
      </ul>
    </Panel>
  )
}

/** A single one has the verdict of the panel. */
function HarmItem({ harm, env, isAlone }: { harm: ProvenHarm; env: string; isAlone: boolean }) {
  const { label, tone } = verdictLooks[harm.state]
  const [gone, needed] = [goneText(harm), neededText(harm)]
  return (
    <li className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4">
      <span className="flex min-w-0 flex-wrap items-center justify-between gap-x-12 gap-y-4">
        <HarmName harm={harm} env={env} />
        {!isAlone && <Badge tone={tone}>{label}</Badge>}
      </span>
      {gone && <span className="font-medium">{gone}</span>}
      <span className="text-pretty text-12 text-text-2">{countsText(harm)}</span>
      <span className="text-pretty text-12 text-text-3">
        {excessText(harm)} {needed}
      </span>
    </li>
  )
}

function HarmName({ harm: { issue, request }, env }: { harm: ProvenHarm; env: string }) {
  const { project } = useScope()
  const look = 'min-w-0 text-accent [overflow-wrap:anywhere] hover:underline'
  if (issue !== null) {
    const name = [issue.type, issue.message].filter((text) => text !== '').join(': ')
    return (
      <Link
        to="/p/$project/errors/$issue"
        params={{ project, issue: issue.group }}
        search={{ env }}
        className={look}
      >
        {name || 'Error without a message'}
      </Link>
    )
  }
  const { method = '', host = '', endpoint = '' } = request ?? {}
  return (
    <Link
      to="/p/$project/requests/$endpoint"
      params={{ project, endpoint }}
      search={{ env, method, host }}
      className={look}
    >
      <code className="break-all">{`${method} ${host}${endpoint}`.trim()}</code> fails
    </Link>
  )
}
