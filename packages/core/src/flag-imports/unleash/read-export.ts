// One environment of an export of Unleash, in the form that its SDKs read.

import type { UnleashDocument, UnleashExport } from '../../contract/unleash.ts'
import type { Fault } from '../../errors.ts'
import { chooseEnvironment } from '../choose-environment.ts'

export function readUnleashExport(
  document: UnleashExport,
  wanted: string | undefined,
): { from: string | undefined; document: UnleashDocument } | { faults: Fault[] } {
  const { features, featureStrategies, featureEnvironments, segments, dependencies } = document
  const parts = [...featureStrategies, ...featureEnvironments]
  const chosen = chooseEnvironment(
    new Set(parts.flatMap(({ environment }) => (environment ? [environment] : []))),
    wanted,
  )
  if ('faults' in chosen) return chosen
  const { from } = chosen
  const isHere = ({ environment }: { environment?: string | null }) => !environment || environment === from
  const strategies = new Map<string, UnleashExport['featureStrategies']>()
  for (const strategy of featureStrategies.filter(isHere)) {
    strategies.set(strategy.featureName, [...(strategies.get(strategy.featureName) ?? []), strategy])
  }
  const settings = new Map(featureEnvironments.filter(isHere).map((each) => [each.featureName, each]))
  const needed = new Map((dependencies ?? []).map((each) => [each.feature, each.dependencies ?? []]))
  return {
    from,
    document: {
      features: features.map(({ name, description }) => ({
        name,
        description: description ?? null,
        enabled: settings.get(name)?.enabled === true,
        variants: settings.get(name)?.variants ?? null,
        strategies: (strategies.get(name) ?? []).toSorted(
          (one, other) => (one.sortOrder ?? 0) - (other.sortOrder ?? 0),
        ),
        dependencies: needed.get(name) ?? null,
      })),
      segments: segments ?? null,
    },
  }
}
