// Stands where a team has a load balancer before its nodes. It also does what needs a Keeper: statements `ON CLUSTER`
// run on every node, and replicated tables, which are alike on a shard with one replica, are made as plain ones.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { ClusterNode } from './start-node.ts'

export interface Balancer {
  url: string
  close(): Promise<void>
}

interface Sent {
  method: string
  path: string
  headers: Record<string, string>
  body: Buffer
}

interface Answered {
  status: number
  headers: Headers
  body: Buffer
}

const ofConnection = ['host', 'connection', 'keep-alive', 'content-length', 'transfer-encoding', 'expect']
const onCluster = / ON CLUSTER (?:`[^`]*`|\S+)/g
const replicated = /\bReplicated(\w*MergeTree)\('[^']*', '[^']*'(?:, (\w+))?\)/g
const window = /\breplicated_deduplication_window = /g
const windowSeconds = /, replicated_deduplication_window_seconds = \d+/g

/** The statement for each of the nodes; undefined if one of them is to run it. */
function forEachNode(statement: string): string | undefined {
  const isOfAll =
    statement.search(onCluster) >= 0 ||
    // Its table is one and the same on all nodes where there is a Keeper.
    /^\s*INSERT INTO \S*schema_migrations/.test(statement) ||
    /^\s*(DROP DATABASE|OPTIMIZE TABLE|DELETE FROM)/.test(statement)
  if (!isOfAll) return undefined
  return statement
    .replace(/^\s*(OPTIMIZE TABLE|DELETE FROM) (\w+)/, '$1 $2_local')
    .replace(onCluster, '')
    .replace(replicated, (_, engine: string, column?: string) => `${engine}(${column ?? ''})`)
    .replace(windowSeconds, '')
    .replace(window, 'non_replicated_deduplication_window = ')
}

export async function startBalancer(nodes: readonly ClusterNode[]): Promise<Balancer> {
  let turn = 0

  async function answer(received: Sent): Promise<Answered> {
    let sent = received
    const address = new URL(sent.path, 'http://balancer')
    const inAddress = address.searchParams.get('query')
    const statement = inAddress ?? sent.body.toString('utf8')
    const changed = sent.method === 'POST' ? forEachNode(statement) : undefined
    if (changed !== undefined) {
      return onEveryNode(nodes, withStatement(sent, changed, inAddress !== null))
    }
    // Only tests insert such rows, and they read what they wrote.
    if (/^\s*INSERT INTO [^;]*(\bVALUES\b|\bnumbers\()/.test(statement)) {
      address.searchParams.set('distributed_foreground_insert', '1')
      sent = { ...sent, path: address.pathname + address.search }
    }
    // A node that was added has no copy of this table, as there is no Keeper to send it one.
    if (/^\s*SELECT [^;]*\bschema_migrations\b(?!')/.test(statement)) turn = 0
    for (let tried = 0; tried < nodes.length; tried += 1) {
      const node = nodes[turn++ % nodes.length]
      // As a balancer's health check finds out.
      if (node?.isRunning()) return forward(node, sent)
    }
    throw new Error('no node is running')
  }

  const server = createServer((request, response) => {
    readSent(request)
      .then(answer)
      .then(
        (answered) => write(response, answered),
        (error: unknown) => response.writeHead(502).end(String(error)),
      )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the balancer has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function readSent(request: IncomingMessage): Promise<Sent> {
  const headers = Object.entries(request.headers).filter(([name]) => !ofConnection.includes(name))
  return {
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
    body: Buffer.concat(await request.toArray()),
  }
}

function withStatement(sent: Sent, statement: string, isInAddress: boolean): Sent {
  if (!isInAddress) return { ...sent, body: Buffer.from(statement) }
  const address = new URL(sent.path, 'http://balancer')
  address.searchParams.set('query', statement)
  return { ...sent, path: address.pathname + address.search }
}

/** The first failure, or the last success. */
async function onEveryNode(nodes: readonly ClusterNode[], sent: Sent): Promise<Answered> {
  let last: Answered | undefined
  for (const node of nodes) {
    last = await forward(node, sent)
    if (last.status >= 400) return last
  }
  if (last === undefined) throw new Error('the cluster has no nodes')
  return last
}

async function forward(node: ClusterNode, { method, path, headers, body }: Sent): Promise<Answered> {
  const response = await fetch(node.url + path, {
    method,
    headers,
    ...(method === 'POST' && { body: new Uint8Array(body) }),
  })
  return {
    status: response.status,
    headers: response.headers,
    body: Buffer.from(await response.arrayBuffer()),
  }
}

function write(response: ServerResponse, { status, headers, body }: Answered): void {
  // `fetch` has unpacked the body.
  const left = [...ofConnection, 'content-encoding']
  response.writeHead(status, Object.fromEntries([...headers].filter(([name]) => !left.includes(name))))
  response.end(body)
}
