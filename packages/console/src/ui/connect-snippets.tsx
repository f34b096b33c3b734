import { useState } from 'react'
import { Segmented } from './choice.tsx'
import { CodeBox } from './copy.tsx'

const ways = [
  { value: 'script', label: 'Script tag' },
  { value: 'npm', label: 'npm' },
  { value: 'react', label: 'React' },
  { value: 'server', label: 'Server' },
  { value: 'openfeature', label: 'OpenFeature' },
] as const

type Way = (typeof ways)[number]['value']

interface Place {
  /** Of the server, without a slash at the end. */
  url: string
  clientKey: string
}

interface Snippet {
  install?: string
  code: string
  note: string
}

/** How an application is connected, to be copied: everything comes from this server, nothing from a registry. */
export function ConnectSnippets({ url, clientKey }: Place) {
  const [way, setWay] = useState<Way>('script')
  const { install, code, note } = snippets[way]({ url, clientKey })

  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-12">
      <Segmented label="How to connect" choices={ways} value={way} onValue={setWay} />
      {install && <CodeBox label="Install" code={install} />}
      <CodeBox label="Connect an application" code={code} />
      <p className="max-w-read text-pretty text-12 text-text-3">{note}</p>
    </div>
  )
}

const snippets: Record<Way, (place: Place) => Snippet> = {
  script: ({ url, clientKey }) => ({
    code: `<script src="${url}/sdk/v1/telltale.js"></script>
<script>
  const flags = telltale.init({ key: '${clientKey}' })
  const show = () => {
    document.title = flags.getString('my-flag', 'Hello')
  }
  flags.onChange(show)
  show()
</script>`,
    note: 'The key is public: it reads flags for one identity at a time.',
  }),
  npm: ({ url, clientKey }) => ({
    install: installOf(url, `telltale-browser-${import.meta.env.BROWSER_SDK_VERSION}`),
    code: `import { startFlags } from '@telltale/browser/flags'

const flags = startFlags({ url: '${url}', key: '${clientKey}' })
await flags.whenReady()
flags.getBoolean('my-flag', false)`,
    note: 'The package comes from this server. The key is public: it reads flags for one identity at a time.',
  }),
  react: ({ url, clientKey }) => ({
    install: installOf(url, `telltale-browser-${import.meta.env.BROWSER_SDK_VERSION}`),
    code: `import { startFlags } from '@telltale/browser/flags'
import { FlagsProvider, useFlag } from '@telltale/browser/react'

const flags = startFlags({ url: '${url}', key: '${clientKey}' })
const Headline = () => <h1>{useFlag('my-flag', 'Hello')}</h1>

export const App = () => (
  <FlagsProvider flags={flags}>
    <Headline />
  </FlagsProvider>
)`,
    note: 'React 18 or newer. The key is public: it reads flags for one identity at a time.',
  }),
  server: ({ url }) => ({
    install: installOf(url, `telltale-node-${import.meta.env.NODE_SDK_VERSION}`),
    code: `import { startFlags } from '@telltale/node'

const flags = startFlags({
  url: '${url}',
  key: process.env.TELLTALE_KEY ?? '', // a server key
})
await flags.whenReady()
flags.getBoolean('my-flag', false, { targetingKey: 'user-1' })`,
    note: 'A server key reads every rule of the environment: keep it out of browsers and repositories.',
  }),
  openfeature: ({ url, clientKey }) => ({
    install: 'npm install @openfeature/web-sdk @openfeature/core @openfeature/ofrep-web-provider',
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
    note: 'OFREP is the protocol of OpenFeature: its providers for browsers and servers work with this address and a key.',
  }),
}

function installOf(url: string, file: string): string {
  return `npm install ${url}/sdk/v1/${file}.tgz`
}
