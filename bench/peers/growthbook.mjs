import { GrowthBookClient } from '@growthbook/growthbook'

export const growthbook = {
  name: 'GrowthBook',
  prepare: (flags, contexts) => {
    const features = Object.fromEntries(flags.map((flag) => [flag.key, toFeature(flag)]))
    const client = new GrowthBookClient().initSync({ payload: { features } })
    const users = contexts.map((context) => ({ attributes: { ...context, id: context.targetingKey } }))
    const keys = flags.map(({ key }) => key)
    return {
      valueOf: (flag, context) => client.evalFeature(flag, users[context]).value,
      run: (all) => {
        let results = 0
        for (const user of users) {
          for (const key of all ? keys : [keys[0]])
            if (client.evalFeature(key, user).value !== null) results++
        }
        return results
      },
    }
  },
}

function toFeature({ key, variations, rules, fallthrough }) {
  const worthOf = (variation) => variations.find((each) => each.key === variation).value
  const serve = (served, id) =>
    typeof served === 'string'
      ? { force: worthOf(served) }
      : {
          key: `${key}-${id}`,
          hashAttribute: 'id',
          hashVersion: 2,
          variations: Object.keys(served).map(worthOf),
          weights: Object.values(served).map((weight) => weight / 100_000),
          coverage: 1,
        }
  const conditional = rules.map(({ conditions, serve: served }, index) => ({
    condition: Object.assign({}, ...conditions.map(toCondition)),
    ...serve(served, index),
  }))
  if (typeof fallthrough === 'string') return { defaultValue: worthOf(fallthrough), rules: conditional }
  return { defaultValue: variations[0].value, rules: [...conditional, serve(fallthrough, 'rest')] }
}

function toCondition({ attribute, operator, value, values }) {
  if (operator === 'in') return { [attribute]: values.length === 1 ? values[0] : { $in: values } }
  if (operator === 'greater') return { [attribute]: { $gt: value } }
  return { [attribute]: { $regex: `${value.replaceAll('.', '\\.')}$` } }
}
