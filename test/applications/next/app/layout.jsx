import { cookies } from 'next/headers'
import { serverFlags } from './flags.js'
import { Navigation } from './navigation.jsx'
import { Providers } from './providers.jsx'

export default async function Layout({ children }) {
  const visitor = (await cookies()).get('visitor')?.value ?? 'visitor'
  const context = { targetingKey: visitor }
  const flags = await serverFlags()
  const { TELLTALE_URL: url, TELLTALE_CLIENT_KEY: key } = process.env
  return (
    <html lang="en">
      <head>
        {/* Before everything else: not by next/script, which would be later. */}
        <script src="/spy.js" />
      </head>
      <body style={{ fontFamily: 'sans-serif', fontSize: 18 }}>
        <Providers url={url} flagsKey={key} context={context} bootstrap={flags.bootstrapValuesFor(context)}>
          <Navigation />
          {children}
        </Providers>
      </body>
    </html>
  )
}
