import { calls } from '@telltale/core/contract/calls'
import { projectVerb } from '../command/remote-verb.ts'
import { inShares } from '../output/shares.ts'
import { renderFacts, renderTable } from '../output/table.ts'

export const flagsGet = projectVerb({
  name: 'flags get',
  group: 'flags',
  does: 'shows a flag with its state in every environment',
  takes: [{ name: 'FLAG' }],
  async run({ server, project, argument, show }) {
    const flag = await server.request(calls.flags.getFlag, { params: { project, flag: argument(0) } })
    show(flag, (terminal) => {
      const variations = flag.variations.map(({ key, value }) => `${key} = ${JSON.stringify(value)}`)
      const facts = renderFacts([
        ['key', flag.key],
        ['name', flag.name],
        ['type', flag.valueType],
        ['variations', variations.join(', ')],
        ['tags', flag.tags.join(', ') || '-'],
        ['lifecycle', flag.lifecycle.state],
        ['available to', flag.clientVisible ? 'browsers and servers' : 'servers'],
      ])
      const rows = flag.environments.map(({ env, enabled, version, rules, serves, lastEvaluatedAt }) => [
        env,
        enabled ? 'on' : 'off',
        inShares(serves),
        String(rules),
        String(version),
        lastEvaluatedAt ?? 'never',
      ])
      const columns = ['environment', 'state', 'serves', 'rules', 'version', 'last evaluated']
      return `${facts}\n\n${renderTable(columns, rows, terminal)}`
    })
  },
})
