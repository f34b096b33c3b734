import { Variation } from '../../../ui/variation.tsx'
import { useFlag } from '../flag-context.ts'

/** In the shape and colour of its index in the flag. */
export function VariationName({ variation }: { variation: string }) {
  const order = useOrder(variation)
  return <Variation order={order} label={variation} isKey />
}

export function useOrder(variation: string): number {
  const { variations } = useFlag()
  return Math.max(
    0,
    variations.findIndex(({ key }) => key === variation),
  )
}
