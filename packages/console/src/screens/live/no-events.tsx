import { useQuery } from '@tanstack/react-query'
import type { Environment } from '../../api/environments.ts'
import { keysQuery } from '../../api/keys.ts'
import { Button } from '../../ui/button.tsx'
import { ConnectSnippets } from '../../ui/connect-snippets.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async, Empty } from '../../ui/states.tsx'

export function NothingMatches({ onClear }: { onClear: () => void }) {
  return (
    <Panel>
      <Empty title="Nothing matches yet" action={<Button onClick={onClear}>Clear the filter</Button>}>
        The next event that fits the filter shows here the moment it arrives.
      </Empty>
    </Panel>
  )
}

/** What to do so that something shows. */
interface NoEventsProps {
  project: string
  environment: Environment
  isStoreAway: boolean
}

export function NoEvents({ project, environment, isStoreAway }: NoEventsProps) {
  const keys = useQuery(keysQuery(project, environment.key))
  return (
    <Panel>
      <Empty title={`No events yet in ${environment.name}`}>
        {!isStoreAway && 'Nothing arrived in the last hour. '}What an application sends shows here the moment
        it arrives.
      </Empty>
      <div className="mx-auto w-full max-w-review px-14 pb-20">
        <Async of={keys}>
          {({ items }) => {
            const key = items.find(({ value, revokedAt }) => value !== null && revokedAt === null)?.value
            return <ConnectSnippets url={window.location.origin} clientKey={key ?? 'your client key'} />
          }}
        </Async>
      </div>
    </Panel>
  )
}
