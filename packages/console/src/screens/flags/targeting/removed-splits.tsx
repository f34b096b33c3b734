import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { experimentsQuery } from '../../../api/experiments.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'

type RemovedSplitsProps = { project: string; env: string; flag: string }

/** The running experiments whose split was removed from the flag. Nothing without any, or while they are loaded. */
export function RemovedSplits({ project, env, flag }: RemovedSplitsProps) {
  const running = useQuery(experimentsQuery(project, { env, flag, state: 'running' }))
  return (running.data ?? [])
    .filter(({ splitRemoved }) => splitRemoved)
    .map(({ id, name }) => (
      <Notice
        key={id}
        tone="warn"
        title={`The split of the experiment “${name}” was removed`}
        detail="It is still running, but no new users take part."
        action={
          <Link
            to="/p/$project/experiments/$experiment"
            params={{ project, experiment: id }}
            search={{ env }}
            className={buttonClass()}
          >
            Open
          </Link>
        }
      />
    ))
}
