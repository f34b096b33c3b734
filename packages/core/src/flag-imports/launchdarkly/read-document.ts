// Both documents of LaunchDarkly in one form: what its API lists, for one environment, and what its SDKs read.

import type {
  LaunchDarklyApiDocument,
  LaunchDarklyConfig,
  LaunchDarklySdkDocument,
  LaunchDarklySegment,
} from '../../contract/launchdarkly.ts'
import type { Fault } from '../../errors.ts'
import { chooseEnvironment } from '../choose-environment.ts'

export interface LaunchDarklyFlag {
  key: string
  name: string
  description: string
  tags: readonly string[]
  clientVisible: boolean | undefined
  archived: boolean
  /** Names are missing in documents for SDKs. */
  variations: readonly { name: string | undefined; value: unknown }[]
  config: LaunchDarklyConfig
}

export interface LaunchDarklyDefinitions {
  from: string | undefined
  flags: LaunchDarklyFlag[]
  segments: ReadonlyMap<string, LaunchDarklySegment>
}

export function readSdkDocument(document: LaunchDarklySdkDocument): LaunchDarklyDefinitions {
  const { flags = {}, flagValues = {}, segments = {} } = document
  const own = Object.entries(flags)
    .filter(([, { deleted }]) => deleted !== true)
    .map(([key, flag]): LaunchDarklyFlag => {
      const { clientSideAvailability, clientSide, variations, archived } = flag
      return {
        key,
        name: key,
        description: '',
        tags: [],
        clientVisible: clientSideAvailability?.usingEnvironmentId ?? clientSide ?? undefined,
        archived: archived === true,
        variations: variations.map((value) => ({ name: undefined, value })),
        config: flag,
      }
    })
  const fixed = Object.entries(flagValues).map(([key, value]): LaunchDarklyFlag => {
    return {
      key,
      name: key,
      description: '',
      tags: [],
      clientVisible: undefined,
      archived: false,
      variations: [{ name: undefined, value }],
      config: { on: true, fallthrough: { variation: 0 }, offVariation: 0 },
    }
  })
  const kept = Object.entries(segments).filter(([, { deleted }]) => deleted !== true)
  return { from: undefined, flags: [...own, ...fixed], segments: new Map(kept) }
}

export function readApiDocument(
  { flags: { items }, segments }: LaunchDarklyApiDocument,
  wanted: string | undefined,
): LaunchDarklyDefinitions | { faults: Fault[] } {
  const names = new Set(items.flatMap(({ environments }) => Object.keys(environments)))
  const chosen = chooseEnvironment(names, wanted)
  if ('faults' in chosen) return chosen
  const { from } = chosen
  const flags = items.flatMap((flag): LaunchDarklyFlag[] => {
    const config = from === undefined ? undefined : flag.environments[from]
    if (config === undefined) return []
    const { key, clientSideAvailability, variations } = flag
    return [
      {
        key,
        name: flag.name ?? key,
        description: flag.description ?? '',
        tags: flag.tags ?? [],
        clientVisible: clientSideAvailability?.usingEnvironmentId ?? undefined,
        archived: flag.archived === true || config.archived === true,
        variations: variations.map(({ name, value }) => ({ name: name ?? undefined, value })),
        config,
      },
    ]
  })
  const kept = (segments?.items ?? []).filter(({ deleted }) => deleted !== true)
  return { from, flags, segments: new Map(kept.map((segment) => [segment.key, segment])) }
}
