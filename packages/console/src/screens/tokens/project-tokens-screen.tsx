import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type ApiToken, projectTokensQuery, revokeProjectToken } from '../../api/tokens.ts'
import { useScope } from '../../shell/scope-context.ts'
import { SectionScreen } from '../../shell/section-screen.tsx'
import { Async, Empty } from '../../ui/states.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { useNow } from '../../ui/text/time.tsx'
import { RevokeToken } from './revoke-token.tsx'
import { tokenColumns } from './token-columns.tsx'

/** API tokens limited to this project, of all accounts. Their owners create them. */
export function ProjectTokensScreen() {
  const { project } = useScope()
  const tokens = useInfiniteQuery(projectTokensQuery(project))
  const [leaving, setLeaving] = useState<ApiToken>()
  const queryClient = useQueryClient()
  const now = useNow()
  const own = (
    <Link to="/account/tokens" className="text-accent underline underline-offset-2">
      your account
    </Link>
  )

  return (
    <SectionScreen
      of="settings"
      title="API tokens"
      lead={<>Tokens of all members that are limited to this project. Create your own in {own}.</>}
    >
      <Async
        of={tokens}
        isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
        empty={
          <Empty title="No tokens for this project">
            Scripts and pipelines use tokens to change flags. Create one in {own}.
          </Empty>
        }
      >
        {({ pages }) => (
          <DataTable
            label="API tokens"
            rows={pages.flatMap(({ items }) => items)}
            rowId={({ id }) => id}
            columns={tokenColumns({ now, showsOwner: true, onRevoke: setLeaving })}
            more={tokens}
            sorted
          />
        )}
      </Async>
      {leaving && (
        <RevokeToken
          token={leaving}
          revoke={({ id }) => revokeProjectToken({ project, token: id })}
          onDone={() => queryClient.invalidateQueries({ queryKey: projectTokensQuery(project).queryKey })}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </SectionScreen>
  )
}
