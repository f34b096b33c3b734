// `telltale mcp`: the Model Context Protocol over standard input and output, for clients that start a program. Each line is
// passed to the server's own endpoint, so that both offer the same.

import { createInterface } from 'node:readline/promises'
import { limits } from '@telltale/core/limits'
import { readRefusal } from '../api/refusal.ts'
import { UsageError } from '../command/read-arguments.ts'
import { findTarget } from '../command/remote-verb.ts'
import { serverOptions } from '../command/target.ts'
import { exitCodes, verb } from '../command/verb.ts'

export const mcp = verb({
  name: 'mcp',
  group: 'code',
  does: 'offers flags and telemetry to a language model, over standard input and output',
  more: 'See [language models](../guides/language-models.md).',
  options: { ...serverOptions, writes: { does: 'also offers tools that change something' } },
  async run(given) {
    const { url, token } = findTarget(given)
    if (url === undefined || token === undefined)
      throw new UsageError('Run "telltale login URL", or set TELLTALE_URL and TELLTALE_TOKEN.')
    const address = `${url.replace(/\/+$/, '')}/mcp${given.isSet('writes') ? '?writes=true' : ''}`
    // One after the other: answers keep the order of the requests.
    for await (const line of createInterface({ input: process.stdin })) {
      const answer = line.trim() === '' ? '' : await pass(line, { address, token })
      if (answer !== '') process.stdout.write(`${answer}\n`)
    }
    return exitCodes.done
  },
})

/** The answer as one line; empty for a notification, which has none. */
async function pass(line: string, { address, token }: { address: string; token: string }): Promise<string> {
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: line,
      signal: AbortSignal.timeout(limits.requestTimeout),
    })
    if (response.status === 202) return ''
    if (response.ok) return (await response.text()).replaceAll('\n', ' ')
    return refuse(line, (await readRefusal(response)).lines.join(' '))
  } catch (error) {
    return refuse(line, `The server does not answer: ${error instanceof Error ? error.message : 'unknown'}.`)
  }
}

/** JSON-RPC: an error of the server, for the request with this id. */
function refuse(line: string, message: string): string {
  const id = idOf(line)
  return id === undefined ? '' : JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message } })
}

function idOf(line: string): unknown {
  try {
    const request: unknown = JSON.parse(line)
    return typeof request === 'object' && request !== null && 'id' in request ? request.id : undefined
  } catch {
    return null
  }
}
