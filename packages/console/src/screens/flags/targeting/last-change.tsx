import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { versionsQuery } from '../../../api/flags.ts'
import { Panel } from '../../../ui/panel.tsx'
import { Avatar } from '../../../ui/tag.tsx'
import { TimeAgo } from '../../../ui/text/time.tsx'
import { useTargeting } from './targeting-context.ts'

/** The author and reason of the last change. Renders nothing before the first change. */
export function LastChange() {
  const { place, envName } = useTargeting()
  const [last] = useInfiniteQuery(versionsQuery(place)).data?.pages[0]?.items ?? []
  if (!last || last.version === 1) return null

  return (
    <Panel title="Last change" note={`in ${envName}`}>
      <div className="flex min-w-0 items-start gap-8">
        <Avatar name={last.actor.name} />
        <div className="grid min-w-0 gap-2">
          <span className="line-clamp-3 font-medium [overflow-wrap:anywhere]">
            {last.reason ?? 'Without a reason'}
          </span>
          <span className="text-12 text-text-2 [overflow-wrap:anywhere]">
            {last.actor.name}, <TimeAgo at={last.savedAt} />
          </span>
          <Link
            from="/p/$project/flags/$flag"
            to="/p/$project/flags/$flag/history"
            className="w-fit text-12 text-accent hover:underline"
          >
            See what changed
          </Link>
        </div>
      </div>
    </Panel>
  )
}
