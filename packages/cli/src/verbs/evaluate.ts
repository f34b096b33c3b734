import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import { UsageError } from '../command/read-arguments.ts'
import { environmentVerb } from '../command/remote-verb.ts'
import { explainSteps } from '../output/explain-steps.ts'
import { renderFacts } from '../output/table.ts'

type Evaluated = ReplyOf<typeof calls.flags.evaluateFlags>['items'][number]

export const evaluate = environmentVerb({
  name: 'evaluate',
  group: 'flags',
  does: 'evaluates a flag for a user, as the server would; it is not counted',
  takes: [{ name: 'FLAG' }],
  options: {
    key: { value: 'USER', does: 'the targeting key of the user' },
    attribute: { value: 'NAME=VALUE', does: 'an attribute of the context; JSON, or text', isMany: true },
    explain: { does: 'shows the steps that led to the value' },
  },
  async run({ server, project, env, argument, text, texts, isSet, show }) {
    const flag = argument(0)
    const key = text('key')
    const context = {
      ...(key !== undefined && { targetingKey: key }),
      ...Object.fromEntries(texts('attribute').map(readAttribute)),
    }
    const body = { context, flags: [flag] }
    const { items } = await server.request(calls.flags.evaluateFlags, { params: { project, env }, body })
    const [found] = items
    if (found === undefined) return
    show(found, () => (isSet('explain') ? explain(found) : (JSON.stringify(found.value) ?? 'no value')))
  },
})

function explain({ value, variation, reason, prerequisite, errorCode, trace }: Evaluated): string {
  const facts = renderFacts([
    ['value', JSON.stringify(value) ?? '-'],
    ['variation', variation ?? '-'],
    ['reason', reason],
    ...(prerequisite === null ? [] : [['prerequisite', prerequisite] as const]),
    ...(errorCode === null ? [] : [['error', errorCode] as const]),
  ])
  return [facts, '', ...explainSteps(trace.steps)].join('\n')
}

function readAttribute(given: string): [string, unknown] {
  const [name = '', ...rest] = given.split('=')
  if (name === '' || rest.length === 0) throw new UsageError(`--attribute is NAME=VALUE, not "${given}".`)
  const value = rest.join('=')
  try {
    return [name, JSON.parse(value)]
  } catch {
    return [name, value]
  }
}
