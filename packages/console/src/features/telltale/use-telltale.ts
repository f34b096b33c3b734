import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type FlagTelltale, telltalesQuery } from '../../api/telltales.ts'
import { useMaybeScope } from '../../shell/scope-context.ts'
import { compareTelltales } from './telltale-words.ts'

/** Of a flag in the environment of the screen; undefined where it has no guard, or that is not known yet. */
export function useTelltale(flag: string, env?: string): FlagTelltale | undefined {
  return useTelltales(env)?.find((one) => one.flag === flag)
}

/** Of the environment of the screen, or of another. */
export function useTelltales(env?: string): readonly FlagTelltale[] | undefined {
  const scope = useMaybeScope()
  const project = scope?.project ?? ''
  const found = useQuery({
    ...telltalesQuery({ project, env: env ?? scope?.environment.key }),
    enabled: scope !== undefined,
  })
  return found.data
}

/** The place of a flag among those with a guard, the worst first; the same function until something changes. */
export function useGuardRank(): (flag: string) => number | null {
  const telltales = useTelltales()
  return useMemo(() => {
    const ranks = new Map((telltales ?? []).toSorted(compareTelltales).map(({ flag }, rank) => [flag, rank]))
    return (flag) => ranks.get(flag) ?? null
  }, [telltales])
}
