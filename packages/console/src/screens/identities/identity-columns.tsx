import type { IdentityRow } from '../../api/identities.ts'
import type { Column } from '../../ui/table/column.ts'
import { TimeAgo } from '../../ui/text/time.tsx'
import { IdentityLink } from './identity-link.tsx'
import { traitText } from './trait-text.ts'

const traitsInRow = 4

export const identityColumns: readonly Column<IdentityRow>[] = [
  {
    id: 'key',
    header: 'Identity',
    width: '34%',
    card: 'title',
    fixed: true,
    cell: ({ targetingKey }) => (
      <span className="flex min-w-0 max-w-[44ch]">
        <IdentityLink targetingKey={targetingKey} className="truncate font-code font-medium text-12">
          {targetingKey}
        </IdentityLink>
      </span>
    ),
  },
  {
    id: 'traits',
    header: 'Traits',
    cell: (identity) => <TraitsCell identity={identity} />,
  },
  {
    id: 'seen',
    header: 'Last seen',
    width: '14ch',
    card: 'aside',
    cell: ({ lastSeenAt }) => (
      <span className="text-text-2">
        <TimeAgo at={lastSeenAt} />
      </span>
    ),
  },
  {
    id: 'first',
    header: 'First seen',
    width: '14ch',
    hideBelow: 'full',
    card: 'none',
    cell: ({ firstSeenAt }) => (
      <span className="text-text-2">
        <TimeAgo at={firstSeenAt} />
      </span>
    ),
  },
]

function TraitsCell({ identity: { traits, masked } }: { identity: IdentityRow }) {
  const entries = Object.entries(traits)
  const shown = entries.slice(0, traitsInRow)
  const hidden = entries.length - shown.length + masked.length
  if (entries.length + masked.length === 0) return <span className="text-text-3">none</span>
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-10 gap-y-2 py-4 text-12">
      {shown.map(([name, value]) => (
        <span key={name} className="inline-flex max-w-[28ch] min-w-0 gap-4">
          <span className="max-w-[14ch] shrink-0 truncate text-text-3">{name}</span>
          <span className="truncate">{traitText(value)}</span>
        </span>
      ))}
      {hidden > 0 && <span className="text-text-3">+{hidden}</span>}
    </span>
  )
}
