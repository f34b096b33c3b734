import { useQuery } from '@tanstack/react-query'
import { keysQuery } from '../../api/keys.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { CodeBox, CopyText } from '../../ui/copy.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async, Empty } from '../../ui/states.tsx'

/** How an application is connected to the environment, until there is something to show of it. */
export function OverviewScreen() {
  const { project, environment } = useScope()
  const keys = useQuery(keysQuery(project, environment.key))

  return (
    <Screen title="Overview">
      <Panel title={`Connect an application to ${environment.name}`}>
        <Async of={keys}>
          {({ items }) => {
            const key = items.find(({ value, revokedAt }) => value !== null && revokedAt === null)?.value
            return key ? <Connect clientKey={key} /> : <NoKey />
          }}
        </Async>
      </Panel>
    </Screen>
  )
}

function Connect({ clientKey }: { clientKey: string }) {
  return (
    <div className="grid max-w-review gap-16">
      <p className="max-w-read text-pretty text-text-2">
        Flags are evaluated over OFREP, the protocol of OpenFeature: its providers for browsers and servers
        work with this address and key. The key is public; it reads flags for one identity at a time.
      </p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-16 gap-y-4">
        <dt className="text-text-3">Address</dt>
        <dd className="min-w-0">
          <CopyText text={window.location.origin} label="Copy the address" />
        </dd>
        <dt className="text-text-3">Client key</dt>
        <dd className="min-w-0">
          <CopyText text={clientKey} label="Copy the client key" />
        </dd>
      </dl>
      <CodeBox label="Connect an application" code={snippet(clientKey)} />
    </div>
  )
}

function NoKey() {
  return (
    <Empty title="No client key">
      Every client key of this environment is revoked. An admin can create one in the settings.
    </Empty>
  )
}

function snippet(key: string): string {
  return `import { OpenFeature } from '@openfeature/web-sdk'
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'

await OpenFeature.setProviderAndWait(
  new OFREPWebProvider({
    baseUrl: '${window.location.origin}',
    headers: [['Authorization', 'Bearer ${key}']],
  }),
  { targetingKey: 'user-1' },
)
const on = OpenFeature.getClient().getBooleanValue('my-flag', false)`
}
