// `flags on` and `flags off`: the same configuration with the switch changed, as a new version.

import { randomUUID } from 'node:crypto'
import { calls } from '@telltale/core/contract/calls'
import { environmentVerb } from '../command/remote-verb.ts'
import type { Verb } from '../command/verb.ts'

function switchVerb(state: 'on' | 'off'): Verb {
  const enabled = state === 'on'
  return environmentVerb({
    name: `flags ${state}`,
    group: 'flags',
    does: `turns a flag ${state} in an environment`,
    more: 'Where changes need approval, it opens a change request instead.',
    takes: [{ name: 'FLAG' }],
    options: {
      reason: { value: 'TEXT', does: 'why, for the history' },
      'restart-evidence': {
        value: 'ROLLOUT',
        does: 'a running rollout whose evidence may restart with this change',
        isMany: true,
      },
    },
    async run({ server, project, env, argument, text, texts, show }) {
      const params = { project, env, flag: argument(0) }
      const config = await server.request(calls.flags.getFlagConfig, { params })
      if (config.enabled === enabled) {
        show(config, () => `${params.flag} is ${state} in ${env} already.`)
        return
      }
      const { offVariation, prerequisites, rules, fallthrough, version } = config
      const reason = text('reason')
      const ended = texts('restart-evidence')
      const reply = await server.request(calls.flags.saveFlagConfig, {
        params,
        body: {
          enabled,
          offVariation,
          prerequisites,
          rules,
          fallthrough,
          ...(reason !== undefined && { reason }),
          ...(ended.length > 0 && { endsEvidenceOf: [...ended] }),
        },
        ifMatch: version,
        idempotencyKey: randomUUID(),
      })
      show(reply, () =>
        'changeRequest' in reply
          ? `Changes in ${env} need approval: the change request ${reply.changeRequest.id} was opened.`
          : `${params.flag} is ${state} in ${env} now.`,
      )
    },
  })
}

export const flagsOn = switchVerb('on')
export const flagsOff = switchVerb('off')
