// The settings and key hashes of one environment, asked for every few seconds. An unchanged answer is 304.

import { setTimeout as pause } from 'node:timers/promises'
import { edgeLimits } from '@telltale/core/edge-limits'
import { spread } from '@telltale/node/backoff'
import { faultOf, type Server } from '@telltale/node/fetch-rule-set'
import { type EdgeDocument, isEdgeDocument } from '../../organisation/keys/edge-document.ts'

export interface FollowedSettings {
  /** Asks now. Resolves to whether the server answered. */
  ask(): Promise<boolean>
  follow(): void
  stop(): void
}

interface SettingsOptions {
  server: Server
  onChange(document: EdgeDocument): void
  onContact(fault: Error | undefined): void
  /** Milliseconds between two requests. */
  every?: number
}

export function createFollowedSettings({
  server,
  onChange,
  onContact,
  every = edgeLimits.edgeKeyInterval.value,
}: SettingsOptions): FollowedSettings {
  const stopping = new AbortController()
  let tag: string | undefined
  let asking: Promise<boolean> | undefined

  const fetchOnce = async () => {
    const response = await fetch(`${server.url}/sdk/v1/edge`, {
      headers: {
        authorization: `Bearer ${server.key}`,
        ...(tag === undefined ? {} : { 'if-none-match': tag }),
      },
      signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(edgeLimits.edgeRequestTimeout.value)]),
    })
    if (response.status === 304) return
    if (!response.ok) {
      await response.body?.cancel()
      throw faultOf(response)
    }
    const document: unknown = await response.json()
    if (!isEdgeDocument(document))
      throw new Error(`${server.url} does not answer as a server that edges can follow: update it first.`)
    tag = response.headers.get('etag') ?? undefined
    onChange(document)
  }
  const ask = () => {
    asking ??= fetchOnce()
      .then(
        () => {
          onContact(undefined)
          return true
        },
        (error: unknown) => {
          if (!stopping.signal.aborted) onContact(error instanceof Error ? error : new Error(String(error)))
          return false
        },
      )
      .finally(() => {
        asking = undefined
      })
    return asking
  }
  const run = async () => {
    while (!stopping.signal.aborted) {
      await pause(spread(every), undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
      if (!stopping.signal.aborted) await ask()
    }
  }

  return {
    ask,
    follow: () => void run(),
    stop: () => stopping.abort(),
  }
}
