import { Link } from '@tanstack/react-router'
import type { Release } from '../../api/releases.ts'
import { useScope } from '../../shell/scope-context.ts'
import type { Column } from '../../ui/table/column.ts'
import { countText, shareText } from '../../ui/text/measure-text.ts'
import { TimeAgo } from '../../ui/text/time.tsx'

/** The ids of sortable columns are the sort orders of the server. */
export const releaseColumns: readonly Column<Release>[] = [
  {
    id: 'version',
    header: 'Version',
    card: 'title',
    fixed: true,
    cell: ({ version }) => <VersionLink version={version} />,
  },
  {
    id: 'first-seen',
    header: 'First seen',
    width: '13ch',
    card: 'aside',
    sortBy: ({ firstSeenAt }) => firstSeenAt,
    cell: ({ firstSeenAt }) => <TimeAgo at={firstSeenAt} />,
  },
  {
    id: 'last-seen',
    header: 'Last seen',
    width: '13ch',
    card: 'none',
    hideBelow: 'full',
    cell: ({ lastSeenAt }) => <TimeAgo at={lastSeenAt} />,
  },
  numbers({
    id: 'adoption',
    header: 'Adoption',
    width: '14ch',
    cell: ({ adoption }) => <AdoptionCell adoption={adoption} />,
  }),
  numbers({
    id: 'sessions',
    header: 'Sessions',
    sortBy: ({ sessions }) => sessions,
    cell: ({ sessions }) => <Named value={countText(sessions)} name="sessions" />,
  }),
  numbers({
    id: 'users',
    header: 'Users',
    card: 'none',
    sortBy: ({ users }) => users,
    cell: ({ users }) => countText(users),
  }),
  numbers({
    id: 'crashes',
    header: 'Crash-free sessions',
    width: '18ch',
    sortBy: ({ crashFreeSessions }) => crashFreeSessions,
    cell: ({ crashFreeSessions }) => <CrashFree share={crashFreeSessions} of="sessions" />,
  }),
  numbers({
    id: 'crash-free-users',
    header: 'Crash-free users',
    width: '16ch',
    card: 'none',
    hideBelow: 'full',
    cell: ({ crashFreeUsers }) => <CrashFree share={crashFreeUsers} of="users" />,
  }),
  numbers({
    id: 'issues',
    header: 'New issues',
    width: '14ch',
    cell: (release) => <IssueCounts release={release} />,
  }),
  numbers({
    id: 'maps',
    header: 'Source maps',
    width: '12ch',
    card: 'none',
    hideBelow: 'full',
    cell: ({ sourceMaps }) =>
      sourceMaps === 0 ? <span className="text-text-3">none</span> : countText(sourceMaps),
  }),
]

function numbers(column: Column<Release>): Column<Release> {
  return { align: 'end', width: '10ch', ...column }
}

function Named({ value, name }: { value: string; name: string }) {
  return (
    <>
      {value}
      <span className="text-12 text-text-3 wide:sr-only"> {name}</span>
    </>
  )
}

function VersionLink({ version }: { version: string }) {
  const { project } = useScope()
  return (
    <Link
      to="/p/$project/releases/$version"
      params={{ project, version }}
      search={({ env, t, q }) => ({ env, t, q })}
      title={version}
      className="block min-w-0 truncate font-code font-medium text-12 hover:underline"
    >
      {version}
    </Link>
  )
}

function AdoptionCell({ adoption }: { adoption: number | null }) {
  if (adoption === null) return <span className="text-text-3">–</span>
  return (
    <span className="inline-flex items-center justify-end gap-8">
      <span aria-hidden="true" className="h-6 w-48 overflow-hidden rounded-chip bg-sunken max-wide:hidden">
        <span className="block h-6 bg-control" style={{ width: `${adoption * 100}%` }} />
      </span>
      <span className="min-w-[5ch]">
        <Named value={shareText(adoption)} name="adoption" />
      </span>
    </span>
  )
}

type CrashFreeProps = { share: number | null; of: 'sessions' | 'users' }

/** Share without an uncaught error. */
export function CrashFree({ share, of }: CrashFreeProps) {
  if (share === null) return <span className="text-text-3">–</span>
  return (
    <span title={`${shareText(share)} of ${of} without an uncaught error`}>
      <Named value={shareText(share)} name={`crash-free ${of}`} />
    </span>
  )
}

function IssueCounts({ release: { newIssues, regressedIssues } }: { release: Release }) {
  if (newIssues === 0 && regressedIssues === 0) {
    return (
      <span className="text-text-3">
        <span aria-hidden="true" className="max-wide:hidden">
          –
        </span>
        <span className="wide:sr-only">no new issues</span>
      </span>
    )
  }
  return (
    <span className="inline-flex flex-wrap justify-end gap-x-6">
      {newIssues > 0 && <Named value={countText(newIssues)} name="new" />}
      {regressedIssues > 0 && (
        <span className="whitespace-nowrap text-bad">{countText(regressedIssues)} regressed</span>
      )}
    </span>
  )
}
