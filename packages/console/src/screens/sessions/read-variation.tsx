import { Variation } from '../../ui/variation.tsx'
import type { VariationOrder } from './use-variation-orders.ts'

type ReadVariationProps = { flag: string; variation: string; order: VariationOrder }

/** In its colour if the flag is known; flags of other clients may not be. */
export function ReadVariation({ flag, variation, order }: ReadVariationProps) {
  const place = order(flag, variation)
  if (place === undefined) return <code className="truncate">{variation}</code>
  return <Variation order={place} label={variation} isKey />
}

/** `checkout=new` split into its two parts. A flag key has no equals sign. */
export function splitRead(read: string): [flag: string, variation: string] {
  const sign = read.indexOf('=')
  return sign < 0 ? [read, ''] : [read.slice(0, sign), read.slice(sign + 1)]
}
