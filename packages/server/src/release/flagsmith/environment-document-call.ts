// `GET environment-document/`: the environment for clients with local evaluation. Built from the same rule set
// as all responses, once for each.

import { exportDocument, exportOverrides } from '@telltale/core/evaluation/flagsmith/export-document'
import { idOf, uuidOf } from '@telltale/core/evaluation/flagsmith/wire-ids'
import { limits } from '@telltale/core/limits'
import type { KnownEnvironment } from '../../organisation/keys/known-keys.ts'
import { queryValue } from '../../organisation/keys/sdk-key.ts'
import type { ServedRuleSet } from '../delivery/build-rule-set.ts'
import type { Delivery } from '../delivery/delivery.ts'
import type { Answer, FlagsmithRequest } from './flagsmith-request.ts'
import { Refused } from './refused.ts'

/** Lists the flags that Flagsmith's format cannot express. */
const leftOutHeader = 'x-telltale-left-out'
/** Lists the flags that held-out users get like all others, because the format has no holdouts. */
const withoutHoldoutHeader = 'x-telltale-without-holdout'

export function answerDocument({ known }: Delivery) {
  return ({ key, served, query, elsewhere }: FlagsmithRequest): Answer | Promise<Answer> => {
    if (key.kind !== 'server') throw new Refused(403, { detail: 'This needs a server-side environment key.' })
    // Clients compute buckets with this key, and an edge has no values of keys.
    if (elsewhere !== undefined && key.environment.flagsmith?.apiKey === undefined) return elsewhere()
    const pageId = queryValue(query, 'page_id')
    const after = pageId === undefined ? undefined : Buffer.from(pageId, 'base64url').toString()
    const made = documentOf(served)
    const { environment } = key
    const apiKey = environment.flagsmith?.apiKey ?? known.clientKeyOf(environment.id) ?? ''
    const page = overridesAfter(made, after)
    const last = page.at(-1)?.identifier
    const isMore = last !== undefined && page.length === limits.flagsmithOverridesPage
    const value = {
      ...frameOf(environment, { apiKey, served, made }),
      identity_overrides: page.map(({ identifier, states }) => ({
        identifier,
        identity_uuid: uuidOf('identity', `${environment.id} ${identifier}`),
        environment_api_key: apiKey,
        created_date: updatedAt(served),
        identity_traits: [],
        identity_features: states,
      })),
    }
    // Clients decode the URL before requesting it, so it must not need encoding.
    const next = `environment-document/?page_id=${Buffer.from(last ?? '').toString('base64url')}`
    return {
      value,
      headers: {
        ...(isMore ? { link: `<${base}${next}>; rel="next"` } : {}),
        ...(made.leftOut.length > 0 ? { [leftOutHeader]: made.leftOut.join(',') } : {}),
        ...(made.withoutHoldout.length > 0 ? { [withoutHoldoutHeader]: made.withoutHoldout.join(',') } : {}),
      },
    }
  }
}

const base = '/flagsmith/api/v1/'

/** There is only one organisation. */
const organisationId = 1

type Made = ReturnType<typeof make>
const documents = new WeakMap<ServedRuleSet, Made>()

function documentOf(served: ServedRuleSet): Made {
  const made = documents.get(served) ?? make(served)
  documents.set(served, made)
  return made
}

function make({ flags, ruleSet, tables }: ServedRuleSet) {
  const definitions = new Map([...flags].map(([key, { compiled }]) => [key, compiled.definition]))
  const segments = [...ruleSet.segments.values()].map(({ definition }) => definition)
  const {
    states,
    segments: exported,
    leftOut,
    withoutHoldout,
    ids,
  } = exportDocument({ flags: [...definitions.values()], segments })
  const missing = new Set(leftOut)
  const byIdentity = new Map<string, [flag: string, variation: string][]>()
  for (const [flag, { buckets }] of tables) {
    if (missing.has(flag)) continue
    for (const bucket of buckets) {
      for (const [targetingKey, variation] of bucket) {
        const own = byIdentity.get(targetingKey) ?? []
        own.push([flag, variation])
        byIdentity.set(targetingKey, own)
      }
    }
  }
  const identifiers = [...byIdentity.keys()].sort()
  return { states, segments: exported, leftOut, withoutHoldout, ids, definitions, byIdentity, identifiers }
}

function overridesAfter({ definitions, ids, byIdentity, identifiers }: Made, after: string | undefined) {
  const first = after === undefined ? 0 : identifiers.findIndex((identifier) => identifier > after)
  if (first < 0) return []
  return identifiers.slice(first, first + limits.flagsmithOverridesPage).map((identifier) => ({
    identifier,
    states: exportOverrides(definitions, ids, byIdentity.get(identifier) ?? []),
  }))
}

/** Everything except the overrides, with the members that clients require. */
function frameOf(
  { id, key, projectId, flagsmith }: KnownEnvironment,
  { apiKey, served, made }: { apiKey: string; served: ServedRuleSet; made: Made },
) {
  const {
    hidesDisabled = false,
    hidesSensitive = false,
    takesClientTraits = true,
    keepsTraits = true,
  } = flagsmith ?? {}
  const serverOnly = [...made.definitions.values()].filter(({ clientVisible }) => !clientVisible)
  return {
    id: flagsmith?.id ?? idOf(id),
    api_key: apiKey,
    name: flagsmith?.name ?? key,
    updated_at: updatedAt(served),
    hide_disabled_flags: hidesDisabled,
    hide_sensitive_data: hidesSensitive,
    allow_client_traits: takesClientTraits,
    use_identity_composite_key_for_hashing: true,
    use_identity_overrides_in_local_eval: true,
    project: {
      id: flagsmith?.projectId ?? idOf(projectId),
      name: flagsmith?.projectName ?? '',
      hide_disabled_flags: hidesDisabled,
      enable_realtime_updates: true,
      server_key_only_feature_ids: serverOnly.map(made.ids.flag),
      organisation: {
        id: organisationId,
        name: 'Telltale',
        feature_analytics: true,
        stop_serving_flags: false,
        persist_trait_data: keepsTraits,
      },
      segments: made.segments,
    },
    feature_states: made.states,
  }
}

function updatedAt({ changedAt }: ServedRuleSet): string {
  return new Date(changedAt).toISOString()
}
