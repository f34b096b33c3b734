import { useState } from 'react'
import type { DescribedFlag } from '../../../api/flags.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { CodeBox } from '../../../ui/copy.tsx'
import { Segmented } from '../../../ui/form/choice.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { useFlag } from '../flag-context.ts'

const ways = [
  { value: 'browser', label: 'Browser' },
  { value: 'react', label: 'React' },
  { value: 'server', label: 'Server' },
  { value: 'curl', label: 'OFREP' },
] as const

type Way = (typeof ways)[number]['value']

const getters = { boolean: 'getBoolean', string: 'getString', number: 'getNumber', json: 'getJson' }

/** Code to evaluate this flag. The default applies while no value is available. */
export function FlagSnippet() {
  const flag = useFlag()
  const { environment } = useScope()
  const [way, setWay] = useState<Way>(flag.clientVisible ? 'browser' : 'server')

  return (
    <Panel title="Use it in your code">
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-12">
        <Segmented label="Platform" choices={ways} value={way} onValue={setWay} />
        <CodeBox label="Evaluate the flag" code={codeOf(way, flag)} />
        <p className="max-w-read text-pretty text-12 text-text-3">
          {flag.clientVisible || way === 'server' || way === 'curl'
            ? `The second argument is the default, used while ${environment.name} cannot be reached or if the flag does not exist.`
            : 'This flag is available to servers only: browsers get the default in the code. You can change this in its settings.'}
        </p>
      </div>
    </Panel>
  )
}

function codeOf(way: Way, { key, valueType, variations }: DescribedFlag): string {
  const getter = getters[valueType]
  const fallback = literalOf(variations[0]?.value)
  switch (way) {
    case 'browser':
      return `flags.${getter}('${key}', ${fallback})`
    case 'react':
      return `const value = useFlag('${key}', ${fallback})`
    case 'server':
      return `flags.${getter}('${key}', ${fallback}, { targetingKey: 'user-1' })`
    case 'curl':
      return `curl -X POST ${window.location.origin}/ofrep/v1/evaluate/flags/${key} \\
  -H "Authorization: Bearer $TELLTALE_KEY" -H "Content-Type: application/json" \\
  -d '{"context":{"targetingKey":"user-1"}}'`
  }
}

function literalOf(value: unknown): string {
  if (typeof value === 'string')
    return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
  return JSON.stringify(value)
}
