import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type FlagTelltale, type GuardedTelltale, telltalesQuery } from '../../api/telltales.ts'
import { useMaybeScope } from '../../shell/scope-context.ts'
import { compareTelltales } from './telltale-words.ts'

/**
 * The worst of a flag in the environment of the screen; undefined if there is nothing to judge, or while loading.
 */
export function useTelltale(flag: string, env?: string): FlagTelltale | undefined {
  return worstOf(useTelltales(env), flag)
}

export function worstOf(
  telltales: readonly FlagTelltale[] | undefined,
  flag: string,
): FlagTelltale | undefined {
  const [worst] = (telltales ?? []).filter((one) => one.flag === flag).toSorted(compareTelltales)
  return worst
}

/** The current or last guarded rollout of a flag. */
export function useGuard(flag: string): GuardedTelltale | undefined {
  return useTelltales()?.find((one): one is GuardedTelltale => one.flag === flag && one.kind === 'guarded')
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

/** The rank of a flag by harm, worst first; the same function until a rank changes. */
export function useHarmRank(): (flag: string) => number | null {
  const telltales = useTelltales()
  return useMemo(() => {
    const ranks = new Map(
      (telltales ?? [])
        .toSorted(compareTelltales)
        .map(({ flag }, rank) => [flag, rank] as const)
        .toReversed(),
    )
    return (flag) => ranks.get(flag) ?? null
  }, [telltales])
}
