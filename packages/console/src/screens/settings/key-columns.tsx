import type { SdkKey } from '../../api/keys.ts'
import { IconButton } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy.tsx'
import { Menu, MenuItem } from '../../ui/overlay/menu.tsx'
import type { Column } from '../../ui/table/column.ts'
import { Badge } from '../../ui/tag.tsx'
import { Time, TimeAgo, TimeUntil } from '../../ui/text/time.tsx'
import { keyStateOf } from './key-state.ts'

interface KeyColumnsOptions {
  now: number
  mayManage: boolean
  onRotate: (key: SdkKey) => void
  onRevoke: (key: SdkKey) => void
}

const kinds = { client: 'Client key', server: 'Server key' }

export function keyColumns(requested: KeyColumnsOptions): readonly Column<SdkKey>[] {
  return [
    {
      id: 'key',
      header: 'Key',
      fixed: true,
      card: 'title',
      cell: (key) => (
        <span className="grid min-w-0">
          <span className="flex min-w-0 items-center gap-8">
            <span className="truncate font-medium">{key.label || kinds[key.kind]}</span>
            {key.managed && <Badge>Managed</Badge>}
          </span>
          {key.label && <span className="text-12 text-text-3">{kinds[key.kind]}</span>}
        </span>
      ),
    },
    {
      id: 'value',
      header: 'Value',
      cell: (key) => (
        <span className="grid max-w-menu">
          {key.value === null ? (
            <code className="text-text-2">{key.prefix}••••••••</code>
          ) : (
            <CopyText text={key.value} label="Copy the client key" />
          )}
        </span>
      ),
    },
    { id: 'used', header: 'Last used', cell: (key) => <TimeAgo at={key.lastUsedAt} none="never used" /> },
    {
      id: 'created',
      header: 'Created',
      hideBelow: 'full',
      card: 'none',
      cell: (key) => <Time at={key.createdAt} />,
    },
    { id: 'state', header: 'State', cell: (key) => <KeyStateText of={key} now={requested.now} /> },
    {
      id: 'actions',
      header: 'Actions',
      hiddenHeader: true,
      fixed: true,
      align: 'end',
      card: 'aside',
      cell: (key) => <KeyMenu of={key} {...requested} />,
    },
  ]
}

function KeyStateText({ of, now }: { of: SdkKey; now: number }) {
  const state = keyStateOf(of, now)
  if (state === 'active') return <Badge tone="ok">Active</Badge>
  if (state === 'revoked') {
    return (
      <span className="text-text-3">
        Revoked <Time at={of.revokedAt} />
      </span>
    )
  }
  return <Badge tone="warn">Expires {of.revokedAt && <TimeUntil at={of.revokedAt} />}</Badge>
}

function KeyMenu({ of, now, mayManage, onRotate, onRevoke }: KeyColumnsOptions & { of: SdkKey }) {
  const state = keyStateOf(of, now)
  if (state === 'revoked') return null
  const isFixed = !mayManage || of.managed
  return (
    <Menu
      align="end"
      trigger={<IconButton icon="more" label={`Actions of ${of.label || `${of.kind} key ${of.prefix}`}`} />}
    >
      <MenuItem icon="undo" disabled={isFixed || state !== 'active'} onSelect={() => onRotate(of)}>
        Rotate…
      </MenuItem>
      <MenuItem icon="trash" danger disabled={isFixed} onSelect={() => onRevoke(of)}>
        Revoke…
      </MenuItem>
    </Menu>
  )
}
