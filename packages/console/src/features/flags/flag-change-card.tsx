import { Link } from '@tanstack/react-router'
import type { FlagChange } from '../../api/flag-changes.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Time } from '../../ui/text/time.tsx'
import { FlagTelltale } from '../telltale/flag-telltale.tsx'
import { DeployEntry } from './deploy-entry.tsx'
import { type FlagChangeMarker, stageText } from './use-flag-markers.ts'

const linkClass = 'min-w-0 truncate font-code font-medium text-12 text-accent hover:underline'

const words: Readonly<Record<FlagChange['kind'], string>> = {
  'turned-on': 'Turned on',
  'turned-off': 'Turned off',
  changed: 'Changed',
  'rolled-back': 'Rolled back',
  stage: 'Next stage',
  passed: 'Passed',
}

/** Card of a chart pennant: each change with author, time and reason, and a link to the flag's history. */
export function FlagChangeCard({ markers }: { markers: readonly FlagChangeMarker[] }) {
  return (
    <ul className="grid min-w-menu gap-12">
      {markers.map(({ at, label, change, deploy }) => (
        <li key={`${label} ${at}`} className="grid gap-2">
          {deploy ? <DeployEntry deploy={deploy} /> : <FlagChangeEntry change={change} />}
        </li>
      ))}
    </ul>
  )
}

function FlagChangeEntry({ change }: { change: FlagChange }) {
  const { project, environment } = useScope()
  return (
    <>
      <span className="flex min-w-0 items-center gap-4">
        {change.stage ? (
          <Link
            to="/p/$project/rollouts/$rollout"
            params={{ project, rollout: change.stage.rollout }}
            className={linkClass}
          >
            {change.flag}
          </Link>
        ) : (
          <Link
            to="/p/$project/flags/$flag/history"
            params={{ project, flag: change.flag }}
            search={{ env: environment.key, v: change.version ?? undefined }}
            className={linkClass}
          >
            {change.flag}
          </Link>
        )}
        <FlagTelltale flag={change.flag} look="mark" />
      </span>
      <span className="text-text-2">
        <b className={`font-medium ${change.kind === 'rolled-back' ? 'text-bad' : 'text-text'}`}>
          {change.stage ? stageText(change.stage) : words[change.kind]}
        </b>{' '}
        by {change.actor.name}, <Time at={change.at} />
      </span>
      {change.reason && <span className="text-pretty break-words text-text-2">“{change.reason}”</span>}
    </>
  )
}
