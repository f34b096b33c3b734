import { calls } from '@telltale/core/contract/calls'
import { serverVerb } from '../command/remote-verb.ts'
import { renderFacts } from '../output/table.ts'

export const whoami = serverVerb({
  name: 'whoami',
  group: 'account',
  does: 'shows the account and the projects of the token',
  async run({ server, show }) {
    const account = await server.request(calls.accounts.getAccount, {})
    show(account, () =>
      renderFacts([
        ['server', server.url],
        ['account', `${account.user.name} <${account.user.email}>`],
        ...(account.token === null
          ? []
          : [['token', `${account.token.name}, ${account.token.role}`] as const]),
        ['projects', account.projects.map(({ key, role }) => `${key} (${role})`).join(', ') || '-'],
      ]),
    )
  },
})
