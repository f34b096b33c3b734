// How an application uses Telltale: one call at startup; `telltale` is the client for both flags and monitoring.

import { init } from '@telltale/browser/telltale'
import { pageOf } from './routes.ts'

const meta = document.querySelector<HTMLMetaElement>('meta[name="telltale-key"]')
const device = matchMedia('(max-width: 640px)').matches ? 'mobile' : 'desktop'

export const telltale = init({
  url: location.origin,
  key: decodeURIComponent(meta?.content ?? ''),
  service: 'shop',
  version: '3.9.0',
  tracing: true,
  context: { device },
  page: (url) => pageOf(url.pathname),
})

const member = 'cus_club_7'

/** Signs in or out; flags and telemetry follow. */
export function signIn(isMember: boolean): void {
  const context = isMember ? { targetingKey: member, plan: 'club', country: 'DE', device } : { device }
  telltale.setContext(context).catch((error: unknown) => telltale.reportError(error))
}
