import { Link } from '@tanstack/react-router'
import type { ConfigVersion } from '../../../api/flags.ts'
import { LoadMore, type MorePages } from '../../../ui/table/load-more.tsx'
import { Badge } from '../../../ui/tag.tsx'
import { TimeAgo } from '../../../ui/text/time.tsx'

type VersionListProps = {
  versions: readonly ConfigVersion[]
  shown: number
  newest: number
  more: MorePages
}

export function VersionList({ versions, shown, newest, more }: VersionListProps) {
  return (
    <>
      <ol className="max-full:max-h-menu max-full:overflow-y-auto">
        {versions.map((one) => (
          <li key={one.version} className="border-line border-b last:border-b-0">
            <Link
              from="/p/$project/flags/$flag/history"
              to="/p/$project/flags/$flag/history"
              search={(now) => ({ ...now, v: one.version, with: undefined })}
              replace
              resetScroll={false}
              activeOptions={{ exact: true }}
              aria-current={one.version === shown ? 'true' : undefined}
              className="grid min-w-0 gap-2 px-14 py-8 -outline-offset-2 hover:bg-hover aria-[current=true]:bg-selected aria-[current=true]:shadow-[inset_2px_0_0_var(--accent)]"
            >
              <span className="flex min-w-0 items-center gap-8">
                <span className="font-medium">Version {one.version}</span>
                {one.version === newest && <Badge>Current</Badge>}
                <span className="ml-auto text-12 text-text-3">
                  <TimeAgo at={one.savedAt} />
                </span>
              </span>
              <span className="truncate text-text-2" title={authorOf(one)}>
                {authorOf(one)}
              </span>
              <span className="line-clamp-2 break-words text-12 text-text-3">
                {one.reason ?? summaryOf(one)}
              </span>
            </Link>
          </li>
        ))}
      </ol>
      <LoadMore of={more} label="Show older versions" />
    </>
  )
}

export function authorOf({ actor, changeRequest }: ConfigVersion): string {
  if (changeRequest) return `${changeRequest.author}, approved by ${changeRequest.approvedBy}`
  return actor.name
}

function summaryOf({ version }: ConfigVersion): string {
  return version === 1 ? 'Initial version' : 'No reason given'
}
