import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type FlagTelltale, telltalesQuery } from '../../api/telltales.ts'
import { useMaybeScope } from '../../shell/scope-context.ts'
import { compareTelltales } from './telltale-words.ts'

/** Of a flag in the environment of the screen; undefined without a guard, or while loading. */
export function useTelltale(flag: string, env?: string): FlagTelltale | undefined {
  return useTelltales(env)?.find((one) => one.flag === flag)
}

/** Of the environment of the screen, or of another one. */
export function useTelltales(env?: string): readonly FlagTelltale[] | undefined {
  const scope = useMaybeScope()
  const project = scope?.project ?? ''
  const found = useQuery({
    ...telltalesQuery({ project, env: env ?? scope?.environment.key }),
    enabled: scope !== undefined,
  })
  return found.data
}

/** The rank of a flag among those with a guard, worst first; the same function until a rank changes. */
export function useGuardRank(): (flag: string) => number | null {
  const telltales = useTelltales()
  return useMemo(() => {
    const ranks = new Map((telltales ?? []).toSorted(compareTelltales).map(({ flag }, rank) => [flag, rank]))
    return (flag) => ranks.get(flag) ?? null
  }, [telltales])
}
