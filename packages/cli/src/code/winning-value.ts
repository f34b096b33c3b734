// The value that is left of a flag: given, or that of the variation which everyone gets.

import type { Json } from '@telltale/code/flag/json'
import { calls } from '@telltale/core/contract/calls'
import type { Server } from '../api/server.ts'
import { UsageError } from '../command/read-arguments.ts'

export interface Winner {
  value: Json
  variation: string | undefined
  otherVariations: string[]
}

/** JSON where it is some: `true`, `20`, `"a"`; anything else is a text. */
export function readValue(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

interface Asked {
  server: Server
  project: string
  key: string
}

/** Asks the server; `variation` is needed where users get different ones. */
export async function findWinner(
  { server, project, key }: Asked,
  variation: string | undefined,
): Promise<Winner> {
  const flag = await server.request(calls.flags.getFlag, { params: { project, flag: key } })
  const name = variation ?? flag.lifecycle.variation ?? undefined
  if (name === undefined) {
    throw new UsageError(`Users get different variations of "${key}". Set --variation to the one to keep.`)
  }
  const winner = flag.variations.find((each) => each.key === name)
  if (winner === undefined) throw new UsageError(`"${key}" has no variation "${name}".`)
  const otherVariations = flag.variations.filter((each) => each !== winner).map((each) => each.key)
  // The reply was parsed from JSON.
  return { value: winner.value as Json, variation: name, otherVariations }
}
