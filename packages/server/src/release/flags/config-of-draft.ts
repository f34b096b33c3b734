import type { FlagConfigDraft, LayerShare, Rule, Serve, Split } from '@telltale/core/contract/flag-config'
import { withExclusions } from '@telltale/core/evaluation/exclusion-rules'
import type { FlagDefinition } from '@telltale/core/evaluation/rule-set'
import { v7 as newId } from 'uuid'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { checkDraft } from './check-draft.ts'
import { completed } from './config-draft.ts'
import { findLayerShares } from './layer-shares.ts'
import { findOverlays } from './overlays.ts'
import { type ConfigRow, getConfig, getFlag } from './queries.ts'
import {
  armsOf,
  bucketingAt,
  findLastEpochs,
  isSameSplit,
  type LastEpoch,
  layerAt,
  type ServeDraft,
  savedAt,
  withVariants,
} from './splits.ts'

interface Trial {
  projectId: string
  environmentId: string
  /** The key of the flag. */
  flag: string
  draft: FlagConfigDraft
}

/**
 * The configuration that saving the draft would create, including bucket ranges of its splits. Throws the same
 * errors as saving.
 */
export async function configOfDraft(
  db: Queryable,
  { projectId, environmentId, flag: key, draft }: Trial,
): Promise<FlagDefinition['config']> {
  const flag = await getFlag(db, projectId, key)
  await checkDraft(db, { flag, environmentId, draft })
  const ref = { flagId: flag.id, environmentId }
  const before = await getConfig(db, ref)
  const known = await findLastEpochs(db, ref)
  const shares = await findLayerShares(db, ref)
  const overlays = await findOverlays(db, ref)
  const laid = new Map(overlays.map(({ place, split }) => [place, split]))
  const serveAt = (place: string, serve: ServeDraft) => serveOf(serve, { place, before, known, laid, shares })

  const { enabled, offVariation, prerequisites, rules, fallthrough } = completed(draft)
  return {
    enabled,
    offVariation,
    prerequisites,
    rules: overlays.reduce<Rule[]>(
      (all, { exclusions, ...at }) => withExclusions(all, exclusions, at),
      rules.map(({ id = newId(), description = '', when, serve }): Rule => {
        return { id, description, when, serve: serveAt(id, serve) }
      }),
    ),
    fallthrough: serveAt('fallthrough', fallthrough),
    salt: before.salt,
  }
}

function serveOf(
  draft: ServeDraft,
  {
    place,
    before,
    known,
    laid,
    shares,
  }: {
    place: string
    before: ConfigRow
    known: ReadonlyMap<string, LastEpoch>
    laid: ReadonlyMap<string, Split>
    shares: ReadonlyMap<string, LayerShare>
  },
): Serve {
  if ('variation' in draft) return draft
  const served = laid.get(place)
  const saved = savedAt(before, place)
  // Saving it unchanged would keep the stage of a running rollout.
  if (served && saved && isSameSplit(saved, { by: draft.by ?? 'targetingKey', arms: draft.split })) {
    return { split: served }
  }
  const last = known.get(place)
  const bucketing = bucketingAt(before, place)
  const arms = armsOf(draft.split, last?.arms)
  return {
    split: {
      id: last === undefined ? 'new' : String(last.id),
      epoch: (last?.epoch ?? 0) + 1,
      by: draft.by ?? 'targetingKey',
      arms: bucketing === undefined ? arms : withVariants(arms, last?.arms),
      ...(bucketing === undefined ? {} : { bucketing }),
      ...(saved?.salt === undefined ? {} : { salt: saved.salt }),
      ...layerAt(shares, place),
    },
  }
}
