import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toProblem } from '../../../api/problem.ts'
import { revokeScimToken, type ScimToken, scimTokensQuery } from '../../../api/scim.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyText } from '../../../ui/copy.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Async } from '../../../ui/states.tsx'
import { PlainTable } from '../../../ui/table/plain-table.tsx'
import { Badge } from '../../../ui/tag.tsx'
import { Time, TimeAgo } from '../../../ui/text/time.tsx'
import { Fact, FactList } from '../facts.tsx'
import { NewScimToken } from './new-scim-token.tsx'

/** Provisioning by an identity provider: its tokens, and whether its requests work. */
export function ScimPanel() {
  const tokens = useQuery(scimTokensQuery)
  const [isAdding, setAdding] = useState(false)
  return (
    <Panel
      title="Provisioning (SCIM)"
      actions={
        <Button icon="plus" onClick={() => setAdding(true)}>
          New SCIM token…
        </Button>
      }
    >
      <Async of={tokens}>
        {({ items, address, users, groups }) => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-12">
            <p className="max-w-read text-pretty text-text-2">
              Your identity provider creates, changes and deactivates accounts, and its groups become teams.
            </p>
            <FactList>
              <Fact name="SCIM address">
                <CopyText text={address} label="Copy the SCIM address" />
              </Fact>
              <Fact name="Accounts">{users.toLocaleString('en')}</Fact>
              <Fact name="Groups">{groups.toLocaleString('en')}</Fact>
            </FactList>
            {items.length === 0 && <p className="text-text-2">No SCIM token yet.</p>}
            {items.map((token) => (
              <TokenSection key={token.id} token={token} />
            ))}
          </div>
        )}
      </Async>
      {isAdding && <NewScimToken onClose={() => setAdding(false)} />}
    </Panel>
  )
}

function TokenSection({ token }: { token: ScimToken }) {
  const [isRevoking, setRevoking] = useState(false)
  const { name, prefix, createdBy, createdAt, lastUsedAt, revokedAt, requests } = token
  const [last] = requests
  return (
    <section
      aria-label={`SCIM token ${name}`}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-8 border-line border-t pt-12"
    >
      <div className="flex flex-wrap items-center gap-8">
        <h3 className="min-w-0 font-medium [overflow-wrap:anywhere]">{name}</h3>
        <code className="text-12 text-text-3">{prefix}…</code>
        {revokedAt !== null && <Badge>Revoked</Badge>}
        {revokedAt === null && last && <StateBadge status={last.status} />}
        <span className="ml-auto">
          {revokedAt === null && (
            <Button look="danger" size="small" onClick={() => setRevoking(true)}>
              Revoke…
            </Button>
          )}
        </span>
      </div>
      <p className="text-12 text-text-2">
        Created by {createdBy}, <Time at={createdAt} />. Last used: <TimeAgo at={lastUsedAt} none="never" />.
      </p>
      {requests.length > 0 && <Requests token={token} />}
      {isRevoking && <Revocation token={token} onClose={() => setRevoking(false)} />}
    </section>
  )
}

const StateBadge = ({ status }: { status: number }) =>
  status < 400 ? <Badge tone="ok">Works</Badge> : <Badge tone="warn">Last request refused</Badge>

function Requests({ token: { name, requests } }: { token: ScimToken }) {
  return (
    <details className="min-w-0">
      <summary className="cursor-pointer text-text-2">Last {requests.length} requests</summary>
      <PlainTable
        label={`Last requests of ${name}`}
        rows={requests.map((request, index) => ({ ...request, index }))}
        rowId={({ index }) => String(index)}
        columns={[
          {
            id: 'request',
            header: 'Request',
            cell: ({ method, resource, detail }) => (
              <span className="grid min-w-0 py-4">
                <code>
                  {method} /{resource}
                </code>
                {detail && <span className="text-wrap text-12 text-text-2">{detail}</span>}
              </span>
            ),
          },
          { id: 'status', header: 'Status', align: 'end', cell: ({ status }) => status },
          { id: 'at', header: 'Time', align: 'end', cell: ({ at }) => <TimeAgo at={at} none="" /> },
        ]}
      />
    </details>
  )
}

function Revocation({ token, onClose }: { token: ScimToken; onClose: () => void }) {
  const queryClient = useQueryClient()
  const revoking = useMutation({
    mutationFn: revokeScimToken,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: scimTokensQuery.queryKey })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={`Revoke the SCIM token ${token.name}`}
      consequence="The identity provider can no longer change accounts and groups. Accounts and teams do not change; without another SCIM token, you can edit the teams here."
      verb="Revoke token"
      busy={revoking.isPending}
      problem={revoking.error && toProblem(revoking.error)}
      onConfirm={() => revoking.mutate(token.id)}
      onClose={onClose}
    />
  )
}
