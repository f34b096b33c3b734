import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Flagsmith, LocalFileHandler } from 'flagsmith-nodejs'

export const flagsmith = {
  name: 'Flagsmith SDK',
  prepare: (flags, contexts) => {
    const folder = mkdtempSync(join(tmpdir(), 'flagsmith-'))
    const file = join(folder, 'environment.json')
    writeFileSync(file, JSON.stringify(toDocument(flags)))
    const client = new Flagsmith({ offlineMode: true, offlineHandler: new LocalFileHandler(file) })
    rmSync(folder, { recursive: true })
    const users = contexts.map(({ targetingKey, ...traits }) => ({ targetingKey, traits }))
    const keys = flags.map(({ key }) => key)
    const flagsOf = ({ targetingKey, traits }) => client.getIdentityFlags(targetingKey, traits)
    return {
      valueOf: async (flag, context) => toValue((await flagsOf(users[context])).getFeatureValue(flag)),
      run: async (all) => {
        let results = 0
        for (const user of users) {
          const answers = await flagsOf(user)
          for (const key of all ? keys : [keys[0]]) if (answers.getFlag(key).value !== null) results++
        }
        return results
      },
    }
  },
}

const toValue = (text) => (text === 'true' || text === 'false' ? text === 'true' : text)

/** Every rule becomes a segment with its override. */
function toDocument(flags) {
  let id = 0
  const segments = []
  const feature_states = flags.map((flag) => {
    const feature = { id: ++id, name: flag.key, type: 'MULTIVARIATE' }
    const textOf = (variation) => String(flag.variations.find((each) => each.key === variation).value)
    const stateOf = (serve, priority) => {
      const weights = Object.entries(typeof serve === 'string' ? {} : serve)
      const control = typeof serve === 'string' ? serve : weights.at(-1)[0]
      return {
        feature,
        enabled: true,
        django_id: ++id,
        featurestate_uuid: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
        feature_state_value: textOf(control),
        feature_segment: priority === undefined ? null : { priority },
        multivariate_feature_state_values: weights.slice(0, -1).map(([variation, weight]) => ({
          id: ++id,
          mv_fs_value_uuid: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
          percentage_allocation: weight / 1000,
          multivariate_feature_option: { id, value: textOf(variation), key: variation },
        })),
      }
    }
    flag.rules.forEach(({ conditions, serve }, priority) => {
      const rule = { type: 'ALL', rules: [], conditions: conditions.map(toCondition) }
      const name = `${flag.key}-${priority}`
      segments.push({ id: ++id, name, rules: [rule], feature_states: [stateOf(serve, priority)] })
    })
    return stateOf(flag.fallthrough)
  })
  return {
    id: 1,
    api_key: 'bench',
    name: 'bench',
    updated_at: '2026-01-01T00:00:00Z',
    project: {
      id: 1,
      name: 'bench',
      hide_disabled_flags: false,
      organisation: {
        id: 1,
        name: 'bench',
        feature_analytics: false,
        stop_serving_flags: false,
        persist_trait_data: true,
      },
      segments,
    },
    feature_states,
    identity_overrides: [],
  }
}

function toCondition({ attribute, operator, value, values }) {
  if (operator === 'in') return { operator: 'IN', property_: attribute, value: values.join(',') }
  if (operator === 'greater') return { operator: 'GREATER_THAN', property_: attribute, value: String(value) }
  return { operator: 'REGEX', property_: attribute, value: `${value.replaceAll('.', '\\.')}$` }
}
