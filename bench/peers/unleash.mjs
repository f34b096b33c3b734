import { EventEmitter } from 'node:events'
import { Unleash } from 'unleash-client'

export const unleash = {
  name: 'Unleash',
  prepare: (flags, contexts) => {
    const toggles = new Map(flags.map((flag) => [flag.key, toToggle(flag)]))
    const repository = new MemoryRepository(toggles)
    const client = new Unleash({
      appName: 'bench',
      url: 'http://localhost:9/',
      disableMetrics: true,
      disableAutoStart: true,
      skipInstanceCountWarning: true,
      repository,
    })
    repository.emit('ready')
    const users = contexts.map(({ targetingKey, ...properties }) => ({ userId: targetingKey, properties }))
    const keys = flags.map(({ key }) => key)
    return {
      valueOf: (flag, context) => {
        const { value } = client.getVariant(flag, users[context]).payload
        return value === 'true' || value === 'false' ? value === 'true' : value
      },
      run: (all) => {
        let results = 0
        for (const user of users) {
          for (const key of all ? keys : [keys[0]]) if (client.getVariant(key, user).payload) results++
        }
        return results
      },
      close: () => client.destroy(),
    }
  },
}

class MemoryRepository extends EventEmitter {
  constructor(toggles) {
    super()
    this.toggles = toggles
  }
  getToggle(name) {
    return this.toggles.get(name)
  }
  getToggles() {
    return [...this.toggles.values()]
  }
  getTogglesWithSegmentData() {
    return this.getToggles()
  }
  getSegment() {
    return undefined
  }
  async start() {}
  stop() {}
}

function toToggle({ key, variations, rules, fallthrough }) {
  const payloadOf = (variation) => ({
    type: 'string',
    value: String(variations.find((each) => each.key === variation).value),
  })
  const variantsOf = (serve) =>
    Object.entries(typeof serve === 'string' ? { [serve]: 100_000 } : serve).map(([name, weight]) => ({
      name,
      weight: weight / 100,
      weightType: 'variable',
      stickiness: 'userId',
      payload: payloadOf(name),
    }))
  const strategy = (constraints, serve) => ({
    name: 'default',
    parameters: { groupId: key },
    constraints,
    variants: variantsOf(serve),
  })
  const strategies = rules.map(({ conditions, serve }) => strategy(conditions.map(toConstraint), serve))
  return {
    name: key,
    type: 'release',
    enabled: true,
    strategies: [...strategies, strategy([], fallthrough)],
    variants: [],
  }
}

function toConstraint({ attribute, operator, value, values }) {
  const base = { contextName: attribute, inverted: false, caseInsensitive: false }
  if (operator === 'in') return { ...base, operator: 'IN', values }
  if (operator === 'greater') return { ...base, operator: 'NUM_GT', value: String(value), values: [] }
  return { ...base, operator: 'STR_ENDS_WITH', values: [value] }
}
