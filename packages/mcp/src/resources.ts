// Resources: a flag, an issue, a rollout with its evidence, and a session as a timeline of text.

import { getFlag, getFlagConfig } from '@telltale/core/contract/flags'
import { getIssue } from '@telltale/core/contract/issues'
import { getRollout, getRolloutEvidence, listRolloutDecisions } from '@telltale/core/contract/rollouts'
import { getSession, listSessionEvents } from '@telltale/core/contract/sessions'
import { type Ask, requestOf } from './ask.ts'
import { writeTimeline } from './timeline.ts'

type Params = Readonly<Record<string, string>>

interface Resource {
  uriTemplate: string
  name: string
  description: string
  read(params: Params, ask: Ask): Promise<string>
}

/** A page is what a conversation has room for. */
const eventsOfTimeline = '200'

export const resources: readonly Resource[] = [
  {
    uriTemplate: 'telltale://{project}/flags/{flag}',
    name: 'flag',
    description: 'A feature flag: variations, tags and state in each environment.',
    read: (params, ask) => readJson(ask, { flag: requestOf(getFlag, params) }),
  },
  {
    uriTemplate: 'telltale://{project}/{env}/flags/{flag}',
    name: 'flag in an environment',
    description: 'What a flag serves in an environment: targets, rules, splits.',
    read: (params, ask) =>
      readJson(ask, { flag: requestOf(getFlag, params), config: requestOf(getFlagConfig, params) }),
  },
  {
    uriTemplate: 'telltale://{project}/{env}/issues/{issue}',
    name: 'issue',
    description: 'An error issue: how often, where, and under which flag variations.',
    read: (params, ask) => readJson(ask, { issue: requestOf(getIssue, params) }),
  },
  {
    uriTemplate: 'telltale://{project}/rollouts/{rollout}',
    name: 'rollout',
    description: 'A guarded rollout with its decisions and, if it was rolled back, the evidence.',
    read: (params, ask) =>
      readJson(ask, {
        rollout: requestOf(getRollout, params),
        decisions: requestOf(listRolloutDecisions, params),
        evidence: requestOf(getRolloutEvidence, params),
      }),
  },
  {
    uriTemplate: 'telltale://{project}/{env}/sessions/{session}',
    name: 'session',
    description: 'The session of a user as a timeline: pages, actions, requests, errors, flag changes.',
    read: async (params, ask) => {
      const session = await readAnswer(ask, requestOf(getSession, params))
      const events = await readAnswer(
        ask,
        requestOf(listSessionEvents, { ...params, limit: eventsOfTimeline }),
      )
      return writeTimeline(session, events)
    },
  },
]

/** The resource of an address with the values of its parameters; undefined for any other address. */
export function findResource(uri: string): { resource: Resource; params: Params } | undefined {
  for (const resource of resources) {
    const names: string[] = []
    const pattern = resource.uriTemplate.replace(/\{(\w+)\}/g, (_, name: string) => {
      names.push(name)
      return '([^/]+)'
    })
    const found = new RegExp(`^${pattern}$`).exec(uri)
    if (!found) continue
    const params = Object.fromEntries(names.map((name, at) => [name, safeDecode(found[at + 1] ?? '')]))
    return { resource, params }
  }
  return undefined
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // Not encoded: a percent sign in a key.
    return text
  }
}

async function readJson(
  ask: Ask,
  parts: Readonly<Record<string, ReturnType<typeof requestOf>>>,
): Promise<string> {
  const entries = await Promise.all(
    Object.entries(parts).map(async ([name, asked]) => [name, await readAnswer(ask, asked)] as const),
  )
  return JSON.stringify(Object.fromEntries(entries))
}

async function readAnswer(ask: Ask, asked: ReturnType<typeof requestOf>): Promise<unknown> {
  const { status, text } = await ask(asked)
  if (status >= 400) throw new Error(`The server refused this with status ${status}: ${text}`)
  return JSON.parse(text)
}
