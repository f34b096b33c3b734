import { calls } from '@telltale/core/contract/calls'
import { environmentVerb } from '../command/remote-verb.ts'
import { renderFacts, renderTable } from '../output/table.ts'

export const identitiesGet = environmentVerb({
  name: 'identities get',
  group: 'flags',
  does: 'shows a user: traits, overrides and the value of every flag',
  takes: [{ name: 'USER' }],
  async run({ server, project, env, argument, show }) {
    const params = { project, env, targetingKey: argument(0) }
    const identity = await server.request(calls.identities.getIdentity, { params })
    const { items: flags } = await server.request(calls.identities.evaluateIdentity, { params })
    show({ ...identity, flags }, (terminal) => {
      const facts = renderFacts([
        ['user', identity.targetingKey],
        ['first seen', identity.firstSeenAt ?? 'never'],
        ['last seen', identity.lastSeenAt ?? 'never'],
        ['traits', JSON.stringify(identity.traits)],
        [
          'overrides',
          identity.overrides.map(({ flag, variation }) => `${flag} = ${variation}`).join(', ') || '-',
        ],
      ])
      const rows = flags.map(({ flag, variation, value, reason }) => [
        flag,
        variation ?? '-',
        JSON.stringify(value) ?? '-',
        reason,
      ])
      return `${facts}\n\n${renderTable(['flag', 'variation', 'value', 'reason'], rows, terminal)}`
    })
  },
})
