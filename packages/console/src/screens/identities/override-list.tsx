import type { Identity } from '../../api/identities.ts'
import { toProblem } from '../../api/problem.ts'
import { FlagLink } from '../../features/flags/flag-link.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { TimeAgo } from '../../ui/text/time.tsx'
import { useMayOverride } from './use-may-override.ts'
import { useOverrides } from './use-overrides.ts'

type OverrideListProps = { identity: Identity; onAdd: () => void; onChange: (flag: string) => void }

export function OverrideList({ identity, onAdd, onChange }: OverrideListProps) {
  const { environment } = useScope()
  const { may, reason } = useMayOverride()
  const overrides = useOverrides(identity.targetingKey)
  const problem = overrides.error && toProblem(overrides.error)

  return (
    <Panel title="Overrides" note={`in ${environment.name}`} flush>
      {problem && (
        <div className="px-14 pt-12">
          <ProblemNotice problem={problem} />
        </div>
      )}
      {identity.overrides.length === 0 && <p className="px-14 pt-12 text-text-2">No overrides</p>}
      <ul className="max-h-[40vh] divide-y divide-line overflow-y-auto">
        {identity.overrides.map(({ flag, variation, createdAt }) => (
          <li key={flag} className="flex min-w-0 items-center gap-4 px-14 py-6">
            <span className="grid min-w-0 flex-1">
              <FlagLink flag={flag} />
              <span className="truncate text-text-2">
                gets <code className="text-text">{variation}</code>, since <TimeAgo at={createdAt} />
              </span>
            </span>
            <IconButton
              icon="edit"
              label={reason ?? `Change override of ${flag}`}
              disabled={!may}
              onClick={() => onChange(flag)}
            />
            <IconButton
              icon="trash"
              label={reason ?? `Remove override of ${flag}`}
              disabled={!may || overrides.isPending}
              onClick={() => overrides.mutate({ flag, variation: undefined, before: variation })}
            />
          </li>
        ))}
      </ul>
      <div className="px-14 py-10">
        <Button size="small" icon="plus" onClick={onAdd} disabled={!may}>
          Add override
        </Button>
        {reason && <p className="pt-6 text-12 text-text-3">{reason}</p>}
      </div>
    </Panel>
  )
}
