import { init, integrations } from '@launchdarkly/node-server-sdk'

export const launchdarkly = {
  name: 'LaunchDarkly',
  prepare: async (flags, contexts) => {
    const source = new integrations.TestData()
    for (const flag of flags) source.usePreconfiguredFlag(toFlag(flag))
    const client = init('sdk-bench', {
      updateProcessor: source.getFactory(),
      sendEvents: false,
      diagnosticOptOut: true,
      logger: { error() {}, warn() {}, info() {}, debug() {} },
    })
    await client.waitForInitialization({ timeout: 5 })
    const users = contexts.map(({ targetingKey, ...rest }) => ({ kind: 'user', key: targetingKey, ...rest }))
    const first = flags[0].key
    return {
      valueOf: async (flag, context) => (await client.variationDetail(flag, users[context], null)).value,
      run: async (all) => {
        let results = 0
        for (const user of users) {
          if (all) {
            const state = await client.allFlagsState(user, { withReasons: true })
            results += Object.keys(state.allValues()).length
          } else if ((await client.variationDetail(first, user, null)).value !== null) results++
        }
        return results
      },
      close: () => client.close(),
    }
  },
}

function toFlag({ key, variations, rules, fallthrough }) {
  const indexOf = (variation) => variations.findIndex((each) => each.key === variation)
  const serve = (served) =>
    typeof served === 'string'
      ? { variation: indexOf(served) }
      : {
          rollout: {
            kind: 'rollout',
            contextKind: 'user',
            variations: Object.entries(served).map(([variation, weight]) => ({
              variation: indexOf(variation),
              weight,
            })),
          },
        }
  return {
    key,
    version: 1,
    on: true,
    salt: `salt-of-${key}`,
    variations: variations.map(({ value }) => value),
    offVariation: variations.length - 1,
    prerequisites: [],
    targets: [],
    contextTargets: [],
    rules: rules.map(({ conditions, serve: served }, index) => ({
      id: `rule-${index}`,
      clauses: conditions.map(toClause),
      ...serve(served),
    })),
    fallthrough: serve(fallthrough),
    clientSideAvailability: { usingEnvironmentId: true, usingMobileKey: false },
  }
}

function toClause({ attribute, operator, value, values }) {
  const op = { in: 'in', greater: 'greaterThan', 'ends-with': 'endsWith' }[operator]
  return { contextKind: 'user', attribute, op, values: values ?? [value], negate: false }
}
