import { type Measured, startMeasured } from './measured.ts'

const bareServer = new URL('bare-server.mjs', import.meta.url)
/** Node's server adds these. */
const own = new Set(['connection', 'date', 'keep-alive'])

/** A bare Node server that responds with the same status, headers and body to every request. */
export async function startBare(response: Response): Promise<Measured> {
  const answer = {
    status: response.status,
    headers: [...response.headers].filter(([header]) => !own.has(header)),
    body: await response.text(),
  }
  return startMeasured(bareServer, [JSON.stringify(answer)])
}
