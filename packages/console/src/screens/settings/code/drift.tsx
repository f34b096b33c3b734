import { Link } from '@tanstack/react-router'
import type { CodeState } from '../../../api/flags-as-code.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { DiffLines } from '../../../ui/diff/diff-view.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Badge } from '../../../ui/tag.tsx'

type Change = CodeState['drift'][number]

const kinds = {
  flags: 'Flag',
  segments: 'Segment',
  metrics: 'Metric',
  rolloutTemplates: 'Rollout template',
  alerts: 'Alert',
  dashboards: 'Dashboard',
} as const

/** What someone changed elsewhere, as the changes that the next application of the same files makes. */
export function Drift({ changes, more }: { changes: readonly Change[]; more: number }) {
  return (
    <Panel
      title="Changed elsewhere"
      note="The next application of the same files makes these changes. To keep what is here, export it, or edit the files."
    >
      {changes.length === 0 ? (
        <p className="text-text-2">Nothing: the project is as the files say.</p>
      ) : (
        <ul className="grid min-w-0 gap-16">
          {changes.map((change) => (
            <li key={`${change.kind} ${change.key} ${change.env}`} className="grid min-w-0 gap-6">
              <Title change={change} />
              <DiffLines lines={change.lines} label={`Changes of ${change.key}`} />
            </li>
          ))}
        </ul>
      )}
      {more > 0 && <p className="text-text-2">{more} more changes are not listed.</p>}
    </Panel>
  )
}

function Title({ change: { kind, key, env, approval, waiting } }: { change: Change }) {
  const { project } = useScope()
  const name = <code className="break-all">{key}</code>
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-8">
      {kinds[kind]}
      {kind === 'flags' ? (
        <Link
          to="/p/$project/flags/$flag"
          params={{ project, flag: key }}
          search={env === null ? {} : { env }}
          className="underline-offset-2 hover:underline"
        >
          {name}
        </Link>
      ) : (
        name
      )}
      {env !== null && <span className="text-text-2">in {env}</span>}
      {waiting === null ? (
        approval && <Badge tone="warn">Needs approval</Badge>
      ) : (
        <Badge tone="accent">Proposed</Badge>
      )}
    </p>
  )
}
