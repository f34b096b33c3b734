import type { JsonValue } from '@telltale/core/contract/trace'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { DecidedFlags } from './demo.ts'

const timeout = 5_000
const Answer = Compile(
  Type.Object({
    flags: Type.Array(
      Type.Object({
        key: Type.String(),
        value: Type.Optional(Type.Unsafe<JsonValue>({})),
        variant: Type.Optional(Type.String()),
        metadata: Type.Optional(
          Type.Object({
            split: Type.Optional(Type.String()),
            epoch: Type.Optional(Type.Number()),
            unit: Type.Optional(Type.String()),
            contextId: Type.Optional(Type.String()),
          }),
        ),
      }),
    ),
  }),
)

interface AskForFlagsOptions {
  /** Of the server. */
  url: string
  key: string
  context: { targetingKey: string }
  userAgent: string
}

/** As a browser does: the evaluation is counted, and the user recorded. */
export async function askForFlags({
  url,
  key,
  context,
  userAgent,
}: AskForFlagsOptions): Promise<DecidedFlags> {
  const response = await fetch(`${url}/ofrep/v1/evaluate/flags`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, 'user-agent': userAgent },
    body: JSON.stringify({ context }),
    signal: AbortSignal.timeout(timeout),
  })
  const answer: unknown = await response.json()
  if (!Answer.Check(answer)) throw new Error(`The flags of the demo are answered with ${response.status}.`)

  return new Map(
    answer.flags.flatMap(({ key: flag, value, variant, metadata }) => {
      if (value === undefined || variant === undefined) return []
      const { split, epoch, unit: by, contextId } = metadata ?? {}
      const isDrawn = split !== undefined && epoch !== undefined && by === 'targetingKey'
      const arm = isDrawn ? { split, epoch, by, unit: contextId ?? context.targetingKey } : {}
      return [[flag, { value, read: { flag, variation: variant, ...arm } }] as const]
    }),
  )
}
