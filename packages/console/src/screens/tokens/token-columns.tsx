import type { ApiToken } from '../../api/tokens.ts'
import { IconButton } from '../../ui/button.tsx'
import type { Column } from '../../ui/table/column.ts'
import { Badge } from '../../ui/tag.tsx'
import { Time, TimeAgo } from '../../ui/text/time.tsx'

interface TokenColumnsOptions {
  now: number
  /** For lists that show the owner instead of the project. */
  showsOwner: boolean
  onRevoke: (token: ApiToken) => void
}

type TokenState = 'active' | 'expired' | 'revoked'

function tokenStateOf({ revokedAt, expiresAt }: ApiToken, now: number): TokenState {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'active'
}

export function tokenColumns({
  now,
  showsOwner,
  onRevoke,
}: TokenColumnsOptions): readonly Column<ApiToken>[] {
  return [
    {
      id: 'name',
      header: 'Token',
      fixed: true,
      card: 'title',
      cell: ({ name, prefix }) => (
        <span className="grid min-w-0 py-4">
          <span className="font-medium [overflow-wrap:anywhere]">{name}</span>
          <code className="text-text-3">{prefix}…</code>
        </span>
      ),
    },
    showsOwner
      ? {
          id: 'owner',
          header: 'Member',
          cell: ({ owner }) => (
            <span className="grid min-w-0">
              <span className="[overflow-wrap:anywhere]">{owner.name}</span>
              <span className="text-text-3 [overflow-wrap:anywhere]">{owner.email}</span>
            </span>
          ),
        }
      : {
          id: 'project',
          header: 'Scope',
          cell: ({ project }) => (project === null ? 'All your projects' : <code>{project}</code>),
        },
    { id: 'role', header: 'Role', cell: ({ role }) => <span className="capitalize">{role}</span> },
    {
      id: 'used',
      header: 'Last used',
      cell: ({ lastUsedAt }) => <TimeAgo at={lastUsedAt} none="never used" />,
    },
    { id: 'state', header: 'State', cell: (token) => <TokenStateText of={token} now={now} /> },
    {
      id: 'actions',
      header: 'Actions',
      hiddenHeader: true,
      fixed: true,
      align: 'end',
      card: 'aside',
      cell: (token) =>
        tokenStateOf(token, now) === 'active' ? (
          <IconButton icon="trash" label={`Revoke ${token.name}…`} onClick={() => onRevoke(token)} />
        ) : null,
    },
  ]
}

function TokenStateText({ of, now }: { of: ApiToken; now: number }) {
  const state = tokenStateOf(of, now)
  if (state === 'revoked') {
    return (
      <span className="text-text-3">
        Revoked <Time at={of.revokedAt} />
      </span>
    )
  }
  if (state === 'expired') {
    return (
      <span className="text-text-3">
        Expired <Time at={of.expiresAt} />
      </span>
    )
  }
  return (
    <span className="inline-flex flex-wrap items-center gap-x-8">
      <Badge tone="ok">Active</Badge>
      {of.expiresAt && (
        <span className="text-12 text-text-3">
          until <Time at={of.expiresAt} />
        </span>
      )}
    </span>
  )
}
