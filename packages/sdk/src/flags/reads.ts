// The variations that the application read, as telemetry names them: recorded once, however often they are read.

import type { FlagRead } from '@telltale/core/contract/events'
import type { FlagMetadata } from './answer.ts'
import type { FlagContext } from './context.ts'
import type { FlagDetails } from './values.ts'

export interface Reads {
  record(flag: string, details: FlagDetails<unknown>): void
  /** Marks everything as unread: another subject, another session. */
  forget(): void
}

export function createReads(contextOf: () => FlagContext, onRead: (read: FlagRead) => void): Reads {
  const seen = new Map<string, FlagMetadata | string | undefined>()

  return {
    record(flag, { variant, metadata }) {
      // The same response contains the same object.
      const answer = metadata ?? variant
      if (!variant || seen.get(flag) === answer) return
      seen.set(flag, answer)
      onRead({ flag, variation: `${metadata?.variation ?? variant}`, ...armOf(metadata, contextOf()) })
    },
    forget: () => seen.clear(),
  }
}

function armOf(metadata: FlagMetadata | undefined, context: FlagContext): Partial<FlagRead> {
  const { split, epoch, unit: by, contextId } = metadata ?? {}
  if (split === undefined || typeof epoch !== 'number' || typeof by !== 'string') return {}
  // Values may still belong to the previous subject: use the subject of the response.
  const unit = by === 'targetingKey' ? (contextId ?? context.targetingKey) : at(context, by)
  if (typeof unit !== 'string' && !Number.isSafeInteger(unit)) return {}
  return { split: `${split}`, epoch, by, unit: `${unit}` }
}

/** `company.plan`: an attribute of this name, else the member of a structure. */
function at(context: FlagContext, attribute: string): unknown {
  if (attribute in context) return Reflect.get(context, attribute)
  return attribute.split('.').reduce<unknown>((value, name) => Reflect.get(Object(value), name), context)
}
