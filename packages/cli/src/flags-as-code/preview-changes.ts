// The blast radius of planned changes: each is counted on its own, as if it were the only one.

import { addParts } from '@telltale/core/changes/blast-radius'
import type { FlagChanges } from '@telltale/core/contract/blast-radius'
import { calls } from '@telltale/core/contract/calls'
import type { CodeChange } from '@telltale/core/contract/flags-as-code'
import { limits } from '@telltale/core/limits'
import { Refusal } from '../api/refusal.ts'
import type { Server } from '../api/server.ts'
import type { DescribedChange } from './describe-plan.ts'

export async function previewChanges(
  server: Server,
  project: string,
  changes: readonly CodeChange[],
): Promise<DescribedChange[]> {
  const created = new Set(
    changes.flatMap((one) => (one.kind === 'flags' && one.action === 'create' ? [one.key] : [])),
  )
  const described: DescribedChange[] = []
  let counted = 0
  for (const change of changes) {
    const isCounted = change.draft !== undefined && change.env !== null && !created.has(change.key)
    if (!isCounted) described.push({ change })
    else if (counted >= limits.codePreviews)
      described.push({ change, reach: 'Blast radius not counted: too many changes.' })
    else {
      counted += 1
      described.push({ change, reach: await preview(server, project, change) })
    }
  }
  return described
}

async function preview(
  server: Server,
  project: string,
  { key, env, draft }: CodeChange,
): Promise<string | undefined> {
  if (draft === undefined || env === null) return undefined
  let sum: FlagChanges[] | undefined
  let people = 0
  let cursor: string | null = null
  try {
    do {
      const part: Awaited<ReturnType<typeof ask>> = await ask(
        server,
        { project, env },
        { key, draft, cursor },
      )
      sum = sum === undefined ? part.flags : addParts(sum, part.flags)
      people += part.people
      cursor = part.next
    } while (cursor !== null)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return `Blast radius not known: ${error.lines[0]}`
  }
  return reachText(sum ?? [], people)
}

interface Asked {
  key: string
  draft: NonNullable<CodeChange['draft']>
  cursor: string | null
}

function ask(server: Server, params: { project: string; env: string }, { key, draft, cursor }: Asked) {
  const change = { flag: key, draft }
  const body = { change, ...(cursor !== null && { cursor }) }
  return server.request(calls['blast-radius'].previewBlastRadius, { params, body })
}

const number = new Intl.NumberFormat('en')

function reachText([own, ...others]: readonly FlagChanges[], people: number): string {
  const of = `${number.format(people)} users of the last 7 days`
  const reached = others.filter((one) => one.people > 0)
  if (own === undefined || (own.people === 0 && reached.length === 0)) return `Affects none of ${of}.`
  const moves = own.moves.map(
    ({ from, to, people: count }) => `${number.format(count)} ${from ?? 'nothing'} → ${to ?? 'nothing'}`,
  )
  const also = reached.map((one) => `${one.flag} (${number.format(one.people)})`)
  return [
    `Affects ${number.format(own.people)} of ${of}${moves.length > 0 ? `: ${moves.join(', ')}` : ''}.`,
    ...(also.length === 0 ? [] : [`Also changes ${also.join(', ')}.`]),
  ].join(' ')
}
