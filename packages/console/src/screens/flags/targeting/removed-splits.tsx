import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { experimentsQuery } from '../../../api/experiments.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'

type RemovedSplitsProps = { project: string; env: string; flag: string }

/** The running experiments whose split, or a variation of it, was removed from the flag. Nothing without any, or while they are loaded. */
export function RemovedSplits({ project, env, flag }: RemovedSplitsProps) {
  const running = useQuery(experimentsQuery(project, { env, flag, state: 'running' }))
  return (running.data ?? [])
    .filter(({ splitRemoved, goneVariations }) => splitRemoved || goneVariations.length > 0)
    .map(({ id, name, splitRemoved, goneVariations }) => (
      <Notice
        key={id}
        tone="warn"
        title={
          splitRemoved
            ? `The split of the experiment “${name}” was removed`
            : `The experiment “${name}” compares ${goneVariations.join(', ')}, which no new users get`
        }
        detail={
          splitRemoved
            ? 'It is still running, but no new users take part.'
            : 'It is still running. End it, or restore the weight.'
        }
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
