import { Link } from '@tanstack/react-router'
import type { FlagChange } from '../api/flag-changes.ts'
import { Time } from '../ui/time.tsx'
import { useScope } from './scope-context.ts'
import type { FlagChangeMarker } from './use-flag-markers.ts'

const words: Readonly<Record<FlagChange['kind'], string>> = {
  'turned-on': 'Turned on',
  'turned-off': 'Turned off',
  changed: 'Changed',
  'rolled-back': 'Rolled back',
}

/** What a pennant of a chart tells: each change with who, when and why, and the way to the flag's history. */
export function FlagChangeCard({ markers }: { markers: readonly FlagChangeMarker[] }) {
  const { project, environment } = useScope()
  return (
    <ul className="grid min-w-menu gap-12">
      {markers.map(({ change }) => (
        <li key={`${change.flag} ${change.version}`} className="grid gap-2">
          <Link
            to="/p/$project/flags/$flag/history"
            params={{ project, flag: change.flag }}
            search={{ env: environment.key, v: change.version }}
            className="w-fit max-w-full truncate font-code font-medium text-12 text-accent hover:underline"
          >
            {change.flag}
          </Link>
          <span className="text-text-2">
            <b className={`font-medium ${change.kind === 'rolled-back' ? 'text-bad' : 'text-text'}`}>
              {words[change.kind]}
            </b>{' '}
            by {change.actor.name}, <Time at={change.at} />
          </span>
          {change.reason && <span className="text-pretty break-words text-text-2">“{change.reason}”</span>}
        </li>
      ))}
    </ul>
  )
}
