import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApiToken, revokeToken, tokensQuery } from '../../api/tokens.ts'
import { usePaletteEntries } from '../../shell/palette/registry.ts'
import { SectionScreen } from '../../shell/section-screen.tsx'
import { Button } from '../../ui/button.tsx'
import { useShortcut } from '../../ui/keyboard.tsx'
import { ShownOnce } from '../../ui/overlay/shown-once.tsx'
import { NewSecret } from '../../ui/secret.tsx'
import { Async, Empty } from '../../ui/states.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { useNow } from '../../ui/text/time.tsx'
import { NewToken } from './new-token.tsx'
import { RevokeToken } from './revoke-token.tsx'
import { tokenColumns } from './token-columns.tsx'

export function AccountTokensScreen() {
  const tokens = useInfiniteQuery(tokensQuery)
  const [isCreating, setCreating] = useState(false)
  const [made, setMade] = useState<{ name: string; value: string }>()
  const [leaving, setLeaving] = useState<ApiToken>()
  const queryClient = useQueryClient()
  const now = useNow()
  const create = () => setCreating(true)
  const read = () => queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey })
  useShortcut({ keys: 'c', label: 'New token', run: create })
  usePaletteEntries([{ id: 'new-token', group: 'Do', icon: 'key', label: 'New API token', run: create }])

  return (
    <SectionScreen
      of="account"
      title="API tokens"
      lead="For scripts and CI. A token never has more permissions than you."
      actions={
        <Button look="primary" icon="plus" onClick={create}>
          New token
        </Button>
      }
    >
      <Async
        of={tokens}
        isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
        empty={
          <Empty title="No tokens yet" action={<Button onClick={create}>New token</Button>}>
            A token gives scripts access to everything in the console.
          </Empty>
        }
      >
        {({ pages }) => (
          <DataTable
            label="Your API tokens"
            rows={pages.flatMap(({ items }) => items)}
            rowId={({ id }) => id}
            columns={tokenColumns({ now, showsOwner: false, onRevoke: setLeaving })}
            more={tokens}
            sorted
          />
        )}
      </Async>
      {isCreating && (
        <NewToken
          onMade={async ({ token, value }) => {
            await read()
            setCreating(false)
            setMade({ name: token.name, value })
          }}
          onClose={() => setCreating(false)}
        />
      )}
      {made && (
        <ShownOnce title={`The token ${made.name}`} onClose={() => setMade(undefined)}>
          <NewSecret name="token" value={made.value} />
        </ShownOnce>
      )}
      {leaving && (
        <RevokeToken
          token={leaving}
          revoke={({ id }) => revokeToken(id)}
          onDone={read}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </SectionScreen>
  )
}
