import type { CodeReference } from '@telltale/code/find-references'
import { limits } from '@telltale/core/limits'
import { UsageError } from '../command/read-arguments.ts'

export interface ServerTarget {
  url: string | undefined
  project: string | undefined
  token: string | undefined
}

interface Upload {
  repository: string
  branch: string
  isDefault: boolean
  commit: string
  link?: string
  files: number
  references: readonly CodeReference[]
}

const patience = 120_000

/** The keys of all flags of the project. */
export async function readFlagKeys(target: ServerTarget): Promise<Set<string>> {
  const keys = new Set<string>()
  let cursor: string | undefined
  do {
    const query = new URLSearchParams({
      limit: String(limits.pageSizeMaximum),
      ...(cursor !== undefined && { cursor }),
    })
    const page: unknown = await (await send(target, `flags?${query}`, {})).json()
    const { items, next } = readPage(page)
    for (const key of items) keys.add(key)
    cursor = next
  } while (cursor !== undefined)
  return keys
}

export async function uploadReferences(target: ServerTarget, upload: Upload): Promise<void> {
  await send(target, 'code-references', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(upload),
  })
}

async function send(
  { url, project, token }: ServerTarget,
  path: string,
  init: RequestInit,
): Promise<Response> {
  if (!url || !project || !token) throw new UsageError('Set --url, --project and --token.')
  const address = `${url.replace(/\/+$/, '')}/api/v1/projects/${encodeURIComponent(project)}/${path}`
  const headers = { ...init.headers, authorization: `Bearer ${token}` }
  const response = await fetch(address, { ...init, headers, signal: AbortSignal.timeout(patience) })
  if (response.ok) return response
  throw new UsageError(`The server refused it (${response.status}): ${await response.text()}`)
}

function readPage(page: unknown): { items: string[]; next: string | undefined } {
  const list: unknown = typeof page === 'object' && page !== null && 'items' in page ? page.items : undefined
  if (typeof page !== 'object' || page === null || !Array.isArray(list)) {
    throw new UsageError('The server returned no list of flags.')
  }
  const items = list.flatMap((item: { key?: unknown }) => (typeof item.key === 'string' ? [item.key] : []))
  return { items, next: 'next' in page && typeof page.next === 'string' ? page.next : undefined }
}
