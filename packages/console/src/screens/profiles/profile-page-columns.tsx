import { Link } from '@tanstack/react-router'
import type { ProfilePage } from '../../api/profiles.ts'
import type { Column } from '../../ui/table/column.ts'
import { countText, durationText, shareText } from '../../ui/text/measure-text.ts'
import { nameOf, shortWhereOf } from './frame-words.ts'
import type { ProfilesSearch } from './profiles-search.ts'

const mean = ({ totalMs, profiles }: ProfilePage) => totalMs / Math.max(1, profiles)

export const profilePageColumns: readonly Column<ProfilePage>[] = [
  {
    id: 'page',
    header: 'Page',
    width: '24%',
    cell: (row) => (
      <span className="grid min-w-0 gap-4">
        <PageLink page={row.page} />
        <span className="flex flex-wrap gap-x-12 text-text-2 wide:hidden">
          <span>{countText(row.profiles)} profiles</span>
          <span>{durationText(mean(row))} each</span>
        </span>
      </span>
    ),
    sortBy: ({ page }) => page,
    card: 'title',
    fixed: true,
  },
  {
    id: 'profiles',
    header: 'Profiles',
    align: 'end',
    sortBy: ({ profiles }) => profiles,
    cell: ({ profiles }) => countText(profiles),
    card: 'none',
  },
  {
    id: 'sessions',
    header: 'Sessions',
    align: 'end',
    sortBy: ({ sessions }) => sessions,
    cell: ({ sessions }) => countText(sessions),
    hideBelow: 'full',
    card: 'none',
  },
  {
    id: 'mean',
    header: 'Mean per profile',
    align: 'end',
    sortBy: mean,
    cell: (row) => durationText(mean(row)),
    card: 'none',
  },
  {
    id: 'total',
    header: 'Total time',
    align: 'end',
    sortBy: ({ totalMs }) => totalMs,
    cell: ({ totalMs }) => durationText(totalMs),
    card: 'aside',
  },
  {
    id: 'hottest',
    header: 'Top self time',
    width: '40%',
    cell: (row) => <Hottest row={row} />,
  },
]

/** The time of unnamed views belongs to no page. */
function PageLink({ page }: { page: string }) {
  if (page === '') return <span className="text-text-3">no page</span>
  return (
    <Link
      from="/p/$project/profiles"
      to="/p/$project/profiles/$page"
      params={{ page }}
      search={({ q }: ProfilesSearch) => ({ q })}
      title={page}
      className="block truncate font-code font-medium text-12"
    >
      {page}
    </Link>
  )
}

function Hottest({ row }: { row: ProfilePage }) {
  return (
    <ol className="flex min-w-0 flex-wrap gap-x-14 gap-y-2 py-4">
      {row.hottest.map(({ frame, share }) => (
        <li
          key={`${nameOf(frame)} ${shortWhereOf(frame)}`}
          className="flex min-w-0 max-w-full items-baseline gap-6"
          title={`${nameOf(frame)} ${shortWhereOf(frame)}`}
        >
          <code className="truncate text-12">{nameOf(frame)}</code>
          <span className="shrink-0 text-12 text-text-3">{shareText(share)}</span>
        </li>
      ))}
    </ol>
  )
}
