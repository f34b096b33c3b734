import { useQuery } from '@tanstack/react-query'
import type { Environment } from '../../api/environments.ts'
import { keysQuery } from '../../api/keys.ts'
import { ConnectSnippets } from '../../ui/connect-snippets.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'

/** What is pasted into an application. */
export function ConnectPanel({ project, environment }: { project: string; environment: Environment }) {
  const keys = useQuery(keysQuery(project, environment.key))

  return (
    <Panel title="Add to your application">
      <Async of={keys}>
        {({ items }) => {
          const key = items.find(({ value, revokedAt }) => value !== null && revokedAt === null)?.value
          return <ConnectSnippets url={window.location.origin} clientKey={key ?? 'your client key'} />
        }}
      </Async>
    </Panel>
  )
}
