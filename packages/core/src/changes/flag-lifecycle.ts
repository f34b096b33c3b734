// The lifecycle stage of a flag between its first evaluation and its removal, derived together with its evidence from
// the flag's configurations and evaluations. It is not stored, so it cannot contradict the flag.

import type { FlagConfig, Serve } from '../contract/flag-config.ts'
import { limits } from '../limits.ts'
import type { LifecycleState } from '../states/lifecycle.ts'

/** The use of a flag in one environment, as far as its lifecycle depends on it. */
export interface FlagUse {
  env: string
  /** The later of the creation of the flag and of the environment. */
  begunAt: Date
  firstEvaluatedAt: Date | undefined
  lastEvaluatedAt: Date | undefined
  /** The variation that everyone gets, if there is only one. */
  oneVariation: { variation: string; since: Date } | undefined
}

export interface FlagLifecycle {
  state: LifecycleState
  because: 'archived' | 'never-evaluated' | 'not-evaluated' | 'one-variation' | 'evaluated'
  since: Date
  /** The environment that decided the stage, if it was a single one. */
  env: string | undefined
  /** The variation that everyone gets there, if that is the reason. */
  variation: string | undefined
  lastEvaluatedAt: Date | undefined
}

export interface AgingFlag {
  createdAt: Date
  archivedAt: Date | undefined
  permanent: boolean
}

/** Covers the given environments: a single one or all of the project. */
export function lifecycleOf(flag: AgingFlag, uses: readonly FlagUse[], now: Date): FlagLifecycle {
  const last = latest(uses, ({ lastEvaluatedAt }) => lastEvaluatedAt)
  const proof = { env: undefined, variation: undefined, lastEvaluatedAt: last?.at }
  if (flag.archivedAt !== undefined) {
    return { ...proof, state: 'archived', because: 'archived', since: flag.archivedAt }
  }
  const isOlder = (at: Date, span: number) => now.getTime() - at.getTime() >= span
  const isDue = (at: Date) => !flag.permanent && isOlder(at, limits.flagStaleAfter)

  if (last === undefined) {
    const since = earliest(uses, ({ begunAt }) => begunAt)?.at ?? flag.createdAt
    return { ...proof, state: isDue(since) ? 'stale' : 'new', because: 'never-evaluated', since }
  }
  if (isDue(last.at)) {
    return { ...proof, state: 'stale', because: 'not-evaluated', since: last.at, env: last.use.env }
  }
  const one = oneEverywhere(usedNow(uses, now))
  if (one !== undefined && isOlder(one.since, limits.flagRolledOutAfter)) {
    return { ...proof, ...one, state: isDue(one.since) ? 'stale' : 'rolled-out', because: 'one-variation' }
  }
  const first = earliest(uses, ({ firstEvaluatedAt }) => firstEvaluatedAt) ?? last
  return { ...proof, state: 'live', because: 'evaluated', since: first.at, env: first.use.env }
}

/** The variation that a configuration serves to everyone, if it can serve only one. */
export function oneVariationOf(
  config: Omit<FlagConfig, 'salt'>,
  overridden: Iterable<string> = [],
): string | undefined {
  if (!config.enabled) return config.offVariation

  const served = new Set([...overridden, ...servedBy(config.fallthrough)])
  for (const { serve } of config.rules) for (const variation of servedBy(serve)) served.add(variation)
  if (config.prerequisites.length > 0) served.add(config.offVariation)
  const [only] = served
  return served.size === 1 ? only : undefined
}

function servedBy(serve: Serve): string[] {
  if ('variation' in serve) return [serve.variation]
  return serve.split.arms.filter(({ weight }) => weight > 0).map(({ variation }) => variation)
}

/** Environments where the code still evaluates the flag; if there are none, all where it ever did. */
function usedNow(uses: readonly FlagUse[], now: Date): FlagUse[] {
  const used = uses.filter(({ lastEvaluatedAt }) => lastEvaluatedAt !== undefined)
  const recent = used.filter(
    ({ lastEvaluatedAt: at }) => at !== undefined && now.getTime() - at.getTime() < limits.flagStaleAfter,
  )
  return recent.length > 0 ? recent : used
}

/** A variation is served from the first evaluation at the earliest. */
function servedOneSince({ oneVariation, firstEvaluatedAt }: FlagUse): Date | undefined {
  if (oneVariation === undefined || firstEvaluatedAt === undefined) return undefined
  return firstEvaluatedAt > oneVariation.since ? firstEvaluatedAt : oneVariation.since
}

/** The variation shared by all environments, since the last of them started to serve it. */
function oneEverywhere(uses: readonly FlagUse[]) {
  const variations = new Set(uses.map(({ oneVariation }) => oneVariation?.variation))
  const [variation] = variations
  if (variations.size !== 1 || variation === undefined) return undefined

  const newest = latest(uses, servedOneSince)
  return newest && { variation, since: newest.at, env: newest.use.env }
}

interface Dated {
  use: FlagUse
  at: Date
}

function latest(uses: readonly FlagUse[], dateOf: (use: FlagUse) => Date | undefined): Dated | undefined {
  return byDate(uses, dateOf).at(-1)
}

function earliest(uses: readonly FlagUse[], dateOf: (use: FlagUse) => Date | undefined): Dated | undefined {
  return byDate(uses, dateOf)[0]
}

function byDate(uses: readonly FlagUse[], dateOf: (use: FlagUse) => Date | undefined): Dated[] {
  return uses
    .flatMap((use) => {
      const at = dateOf(use)
      return at === undefined ? [] : [{ use, at }]
    })
    .sort((a, b) => a.at.getTime() - b.at.getTime())
}
