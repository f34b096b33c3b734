import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { flagsQuery } from '../../api/flags.ts'
import { useScope } from '../../shell/scope-context.ts'

/** The index of a variation in its flag, which decides its colour. Undefined: unknown here. */
export type VariationOrder = (flag: string, variation: string) => number | undefined

export function useVariationOrder(): VariationOrder {
  const { project } = useScope()
  const flags = useInfiniteQuery(flagsQuery(project, {}))
  return useMemo(() => {
    const orders = new Map(
      (flags.data?.pages ?? []).flatMap(({ items }) =>
        items.flatMap(({ key, variations }) =>
          variations.map((variation, order) => [`${key}=${variation.key}`, order] as const),
        ),
      ),
    )
    return (flag, variation) => orders.get(`${flag}=${variation}`)
  }, [flags.data])
}
