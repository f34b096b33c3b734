import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ProfileSummary, profilesQuery } from '../../api/profiles.ts'
import type { Question } from '../../api/question.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { durationText } from '../../ui/text/measure-text.ts'
import { Time } from '../../ui/text/time.tsx'

/** Single profiles, each a link to its view. */
export function NewestProfiles({ question, page }: { question: Question; page: string }) {
  const found = useInfiniteQuery(profilesQuery(question, page))
  const rows = found.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <Panel title="Latest profiles" note="newest first" flush>
      <Async of={found} isEmpty={() => rows.length === 0} empty={<p className="px-14 py-12">None.</p>}>
        {() => (
          <>
            <ul className="max-h-[360px] overflow-y-auto">
              {rows.map((row) => (
                <ProfileRow key={row.id} row={row} />
              ))}
            </ul>
            <LoadMore of={found} />
          </>
        )}
      </Async>
    </Panel>
  )
}

function ProfileRow({ row }: { row: ProfileSummary }) {
  const { project } = useScope()
  return (
    <li className="flex min-h-row items-center justify-between gap-12 border-line border-b px-14 last:border-b-0 hover:bg-hover">
      <Link
        to="/p/$project/profiles/one/$profile"
        params={{ project, profile: row.id }}
        className="min-w-0 truncate text-accent hover:underline"
      >
        <Time at={row.startedAt} />
      </Link>
      <span className="min-w-0 truncate text-12 text-text-3">
        {[row.browser, row.version].filter(Boolean).join(', ')}
      </span>
      <span className="shrink-0">{durationText(row.busyMs)}</span>
    </li>
  )
}
