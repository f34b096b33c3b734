// The tools: one for each call of the contract table about flags and telemetry, with the schema of its input. What
// manages the installation, its members, keys and secrets is not offered.

import { type Call, parameterNames } from '@telltale/core/contract/call'
import { type Calls, callList, type NamedCall } from '@telltale/core/contract/calls'
import { pathParameters } from '@telltale/core/contract/parameters'

type Word = keyof Calls

/** Read and, if the client asked for it, changed. */
const changed: readonly Word[] = [
  'flags',
  'segments',
  'overrides',
  'evaluations',
  'change-requests',
  'scheduled-changes',
  'rollouts',
  'rollout-templates',
  'experiments',
  'metrics',
  'issues',
  'deploys',
  'alerts',
  'comments',
]

/** Only read. */
const read: readonly Word[] = [
  'projects',
  'code-references',
  'environments',
  'blast-radius',
  'identities',
  'overview',
  'pages',
  'requests',
  'services',
  'traces',
  'logs',
  'releases',
  'sessions',
  'suspects',
  'explore',
  'funnels',
  'profiles',
  'impact',
  'telltales',
  'ledger',
  'layers',
  'holdouts',
  'dashboards',
  'audit',
]

export interface Tool {
  name: string
  call: Call
  description: string
  inputSchema: { type: 'object'; properties: Record<string, object>; required: string[] }
  annotations: { title: string; readOnlyHint: boolean; destructiveHint: boolean; openWorldHint: false }
}

/** Questions that need a body are asked by POST; they need no more than the right to look. */
const changes = ({ call }: NamedCall) => call.method !== 'GET' && call.permission !== 'project.view'

/** Approval is a second member's, who read the change. */
const approves = ({ name, call }: NamedCall) => call.permission === 'changes.approve' || /^approve/.test(name)

function isOffered(named: NamedCall, writes: boolean): boolean {
  const { call, word } = named
  if (call.stream || call.download !== undefined || call.upload !== undefined) return false
  if (call.permission === 'anyone' || call.permission === 'person') return false
  if (changes(named)) return writes && changed.includes(word) && !approves(named)
  return changed.includes(word) || read.includes(word)
}

const list = (writes: boolean): ReadonlyMap<string, Tool> =>
  new Map(
    callList.filter((named) => isOffered(named, writes)).map((named) => [named.name, toolOf(named)] as const),
  )

const listed = new Map<boolean, ReadonlyMap<string, Tool>>()

/** By name; with `writes`, also those that change something. Made at the first use: every request needs them. */
export function toolsOf({ writes }: { writes: boolean }): ReadonlyMap<string, Tool> {
  const tools = listed.get(writes) ?? list(writes)
  listed.set(writes, tools)
  return tools
}

function toolOf(named: NamedCall): Tool {
  const { name, call } = named
  const isChange = changes(named)
  return {
    name,
    call,
    description: describe(call),
    inputSchema: schemaOf(call),
    annotations: {
      title: call.summary.replace(/\.$/, ''),
      readOnlyHint: !isChange,
      destructiveHint: isChange && call.method !== 'POST',
      openWorldHint: false,
    },
  }
}

function describe(call: Call): string {
  if (call.accepted === undefined) return call.summary
  return `${call.summary} Where the environment requires approval, this opens a change request that a member approves, and changes nothing yet.`
}

function schemaOf(call: Call): Tool['inputSchema'] {
  const names = parameterNames(call.path)
  const properties: Record<string, object> = {}
  for (const [name, schema] of Object.entries(call.query?.properties ?? {})) properties[name] = schema
  for (const name of names) properties[name] = pathParameters[name]
  if (call.body !== undefined) properties.body = call.body
  if (call.versioned && call.method !== 'GET')
    properties.version = {
      type: 'integer',
      description: 'The version that was read. The change is refused if the stored one is newer.',
    }
  const inQuery: readonly string[] = call.query?.required ?? []
  const required = [...names, ...inQuery, ...(call.body === undefined ? [] : ['body'])]
  return { type: 'object', properties, required: [...new Set(required)] }
}
