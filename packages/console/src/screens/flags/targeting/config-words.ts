// A choice of variations as people read it.

import { percentText } from './weights.ts'

export function sharesText({ split }: { split: readonly { variation: string; weight: number }[] }): string {
  return split.map(({ variation, weight }) => `${percentText(weight)}% ${variation}`).join(', ')
}
