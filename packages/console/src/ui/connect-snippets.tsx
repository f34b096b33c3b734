import { writeSnippet } from '@telltale/browser/boot/snippet'
import { type ReactNode, useState } from 'react'
import { CodeBox } from './copy.tsx'
import { DocsLink } from './docs-link.tsx'
import { Segmented } from './form/choice.tsx'

const ways = [
  { value: 'script', label: 'Script tag' },
  { value: 'npm', label: 'npm' },
  { value: 'react', label: 'React' },
  { value: 'server', label: 'Server' },
  { value: 'openfeature', label: 'OpenFeature' },
  { value: 'datadog', label: 'Datadog client' },
] as const

type Way = (typeof ways)[number]['value']

interface Place {
  /** Of the server, without a trailing slash. */
  url: string
  clientKey: string
}

interface Snippet {
  parts: readonly { label: string; code: string }[]
  note: ReactNode
}

/** Snippets to connect an application: everything is loaded from this server, nothing from a registry. */
export function ConnectSnippets({ url, clientKey }: Place) {
  const [way, setWay] = useState<Way>('script')
  const { parts, note } = snippets[way]({ url, clientKey })

  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-12">
      <Segmented label="How to connect" choices={ways} value={way} onValue={setWay} />
      {parts.map(({ label, code }) => (
        <div key={label} className="grid min-w-0 gap-4">
          <p className="font-medium">{label}</p>
          <CodeBox label={label} code={code} />
        </div>
      ))}
      <p className="max-w-read text-pretty text-12 text-text-3">{note}</p>
    </div>
  )
}

const install = 'Install from this server'
const publicKey = 'The key is public: it reads flags for one identity at a time and sends telemetry.'

const snippets: Record<Way, (place: Place) => Snippet> = {
  script: ({ url, clientKey }) => ({
    parts: [
      {
        label: 'In the head of every page, before other scripts',
        code: writeSnippet({ url, key: clientKey }),
      },
      {
        label: 'Where you use a flag',
        code: `<script>
telltale.onReady(() => {
  const show = () => {
    document.title = app.getString('my-flag', 'Hello')
  }
  app.onChange(show)
  show()
})
</script>`,
      },
    ],
    note: `Flags and monitoring in one: page views, vitals, errors and user actions. ${publicKey}`,
  }),
  npm: ({ url, clientKey }) => ({
    parts: [
      { label: install, code: installOf(url, browserFile) },
      {
        label: 'When the application starts',
        code: `import { init } from '@telltale/browser'

export const app = init({ url: '${url}', key: '${clientKey}' })
await app.whenReady()
app.getBoolean('my-flag', false)`,
      },
    ],
    note: `Flags and monitoring in one; flags alone come from '@telltale/browser/flags'. ${publicKey}`,
  }),
  react: ({ url, clientKey }) => ({
    parts: [
      { label: install, code: installOf(url, browserFile) },
      {
        label: 'Wrap the application',
        code: `import { init } from '@telltale/browser'
import { FlagsProvider, useFlag } from '@telltale/browser/react'

const app = init({ url: '${url}', key: '${clientKey}' })
const Headline = () => <h1>{useFlag('my-flag', 'Hello')}</h1>

export const App = () => (
  <FlagsProvider flags={app}>
    <Headline />
  </FlagsProvider>
)`,
      },
    ],
    note: `React 18 or newer. Flags and monitoring in one. ${publicKey}`,
  }),
  server: ({ url }) => ({
    parts: [
      { label: install, code: installOf(url, `telltale-node-${import.meta.env.NODE_SDK_VERSION}`) },
      {
        label: 'When the server starts',
        code: `import { startFlags } from '@telltale/node'

const flags = startFlags({
  url: '${url}',
  key: process.env.TELLTALE_KEY ?? '', // a server key
})
await flags.whenReady()
flags.getBoolean('my-flag', false, { targetingKey: 'user-1' })`,
      },
    ],
    note: 'A server key can read every rule of the environment. Keep it out of browsers and repositories.',
  }),
  openfeature: ({ url, clientKey }) => ({
    parts: [
      {
        label: 'Install',
        code: 'npm install @openfeature/web-sdk @openfeature/core @openfeature/ofrep-web-provider',
      },
      {
        label: 'When the application starts',
        code: `import { OpenFeature } from '@openfeature/web-sdk'
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'

await OpenFeature.setProviderAndWait(
  new OFREPWebProvider({
    baseUrl: '${url}',
    headers: [['Authorization', 'Bearer ${clientKey}']],
  }),
  { targetingKey: 'user-1' },
)
const on = OpenFeature.getClient().getBooleanValue('my-flag', false)`,
      },
    ],
    note: 'OFREP is OpenFeature’s remote evaluation protocol. Its providers for browsers and servers work with this address and a key. They cover flags, not monitoring.',
  }),
  datadog: ({ url, clientKey }) => ({
    parts: [
      {
        label: 'When the application starts: the Datadog client you already use, with a different address',
        code: `import { datadogRum } from '@datadog/browser-rum'

datadogRum.init({
  proxy: '${url}/intake/datadog',
  clientToken: '${clientKey}',
  applicationId: 'shop',
  service: 'shop',
  sessionSampleRate: 100,
  sessionReplaySampleRate: 100,
  profilingSampleRate: 100,
  telemetrySampleRate: 0,
  compressIntakeRequests: true,
  trackFeatureFlagsForEvents: ['action', 'resource', 'long_task', 'vital'],
})`,
      },
      {
        label: 'Where you use a flag',
        code: `datadogRum.addFeatureFlagEvaluation('my-flag', value)`,
      },
    ],
    note: (
      <>
        Monitoring with the unmodified Datadog client; nothing is sent to Datadog.{' '}
        <DocsLink page="guides/move-from-datadog">Differences</DocsLink>. For flags, use any of the other
        clients.
      </>
    ),
  }),
}

const browserFile = `telltale-browser-${import.meta.env.BROWSER_SDK_VERSION}`

function installOf(url: string, file: string): string {
  return `npm install ${url}/sdk/v1/${file}.tgz`
}
