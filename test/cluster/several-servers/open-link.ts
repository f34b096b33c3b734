// The network between a server and its PostgreSQL, which a test can cut.

import type { NetConnectOpts } from 'node:net'
import { type Gate, openGate } from '../../../packages/node/src/testing/gate.ts'
import type { PostgresTarget } from '../../../packages/server/src/platform/engines/postgres/open.ts'

export interface Link {
  gate: Gate
  /** As `DATABASE_URL`. */
  url: string
}

export async function openLink(target: PostgresTarget): Promise<Link> {
  const gate = await openGate(placeOf(target))
  const url =
    target.kind === 'url' ? new URL(target.url) : new URL(`postgresql://localhost/${target.database}`)
  if (target.kind === 'socket') {
    url.username = target.username
    url.password = target.password
  }
  url.host = new URL(gate.url).host
  return { gate, url: url.href }
}

function placeOf(target: PostgresTarget): NetConnectOpts {
  if (target.kind === 'socket') return { path: `${target.host}/.s.PGSQL.${target.port}` }
  const { hostname, port } = new URL(target.url)
  return { host: hostname, port: Number(port || 5432) }
}
