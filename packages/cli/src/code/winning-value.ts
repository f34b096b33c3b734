// The value that is left of a flag: given, or that of the variation which everyone gets.

import type { Json } from '@telltale/code/flag/json'
import { UsageError } from '../command/read-arguments.ts'

export interface Winner {
  value: Json
  variation: string | undefined
  otherVariations: string[]
}

export interface FlagSource {
  url: string | undefined
  project: string | undefined
  token: string | undefined
  key: string
}

const patience = 30_000

/** JSON where it is some: `true`, `20`, `"a"`; anything else is a text. */
export function readValue(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Asks the server; `variation` is needed where users get different ones. */
export async function findWinner(source: FlagSource, variation: string | undefined): Promise<Winner> {
  const { url, project, token, key } = source
  if (!url || !project || !token) {
    throw new UsageError('Set --value, or --url, --project and --token to read the flag from the server.')
  }
  const path = `projects/${encodeURIComponent(project)}/flags/${encodeURIComponent(key)}`
  const response = await fetch(`${url.replace(/\/+$/, '')}/api/v1/${path}`, {
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
    signal: AbortSignal.timeout(patience),
  })
  if (!response.ok) throw new UsageError(`The server did not return the flag "${key}" (${response.status}).`)
  const flag: unknown = await response.json()
  return chooseVariation(flag, key, variation)
}

function chooseVariation(flag: unknown, key: string, wanted: string | undefined): Winner {
  const variations = variationsOf(flag)
  const name = wanted ?? servedToEveryone(flag)
  if (name === undefined) {
    throw new UsageError(`Users get different variations of "${key}". Set --variation to the one to keep.`)
  }
  const winner = variations.find((each) => each.key === name)
  if (winner === undefined) throw new UsageError(`"${key}" has no variation "${name}".`)
  const otherVariations = variations.filter((each) => each !== winner).map((each) => each.key)
  return { value: winner.value, variation: name, otherVariations }
}

function variationsOf(flag: unknown): { key: string; value: Json }[] {
  if (typeof flag !== 'object' || flag === null || !('variations' in flag)) return []
  const list: unknown = flag.variations
  if (!Array.isArray(list)) return []
  return list.flatMap((each: { key?: unknown; value?: Json }) =>
    typeof each.key === 'string' && each.value !== undefined ? [{ key: each.key, value: each.value }] : [],
  )
}

function servedToEveryone(flag: unknown): string | undefined {
  if (typeof flag !== 'object' || flag === null || !('lifecycle' in flag)) return undefined
  const { lifecycle } = flag
  if (typeof lifecycle !== 'object' || lifecycle === null || !('variation' in lifecycle)) return undefined
  return typeof lifecycle.variation === 'string' ? lifecycle.variation : undefined
}
