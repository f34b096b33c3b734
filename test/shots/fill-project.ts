// A believable project for pictures: made through the API, as a person would.

import type { APIRequestContext } from '@playwright/test'
import { project } from '../browser/console.ts'
import { fillChanges, readDraft } from './fill-changes.ts'
import { callerOf, join, maintainer, viewer } from './people.ts'

interface Place {
  request: APIRequestContext
  url: string
}

const onOff = undefined
const colours = [
  { key: 'control', name: 'Control', value: '#1d4ed8' },
  { key: 'warm', name: 'Warm', value: '#c2410c' },
  { key: 'calm', name: 'Calm', value: '#0f766e' },
]

const flags = [
  {
    key: 'checkout.one-page',
    name: 'One-page checkout',
    description: 'Address, delivery and payment on one page.',
    valueType: 'boolean',
    variations: onOff,
    tags: ['checkout', 'growth'],
    split: { on: 25_000, off: 75_000 },
  },
  {
    key: 'search.ranking-v2',
    name: 'Ranking by demand',
    description: 'Orders results by what sold in the last seven days.',
    valueType: 'boolean',
    variations: onOff,
    tags: ['search'],
    serve: 'on',
  },
  {
    key: 'banner.colour',
    name: 'Colour of the banner',
    description: '',
    valueType: 'string',
    variations: colours,
    tags: ['growth'],
    split: { control: 33_334, warm: 33_333, calm: 33_333 },
  },
  {
    key: 'shipping.free-above',
    name: 'Free shipping above',
    description: 'In euro.',
    valueType: 'number',
    variations: [
      { key: 'forty', name: '40 €', value: 40 },
      { key: 'sixty', name: '60 €', value: 60 },
    ],
    tags: ['checkout'],
    serve: 'forty',
  },
  {
    key: 'returns.portal-for-customers-who-ordered-as-guests-no-account',
    name: 'Returns portal for customers who ordered as guests and have no account',
    description: 'The longest key there can be.',
    valueType: 'boolean',
    variations: onOff,
    tags: [],
    serve: undefined,
  },
  {
    key: 'nav.sticky',
    name: 'Navigation that stays',
    description: '',
    valueType: 'boolean',
    variations: onOff,
    tags: ['navigation'],
    serve: 'on',
  },
]

const segments = [
  {
    key: 'dach',
    name: 'Germany, Austria, Switzerland',
    when: { match: 'all', of: [{ attribute: 'country', operator: 'in', values: ['DE', 'AT', 'CH'] }] },
  },
  {
    key: 'staff',
    name: 'Our own people',
    when: {
      match: 'any',
      of: [{ attribute: 'email', operator: 'ends-with', value: '@pedalandpost.example' }],
    },
  },
]

const people = ['ada', 'grace', 'alan', 'katherine', 'edsger', 'barbara', 'anonymous-4f2a9c']

export async function fillProject({ request, url }: Place): Promise<void> {
  const call = callerOf(request, url)
  const home = `/api/v1/projects/${project.key}`
  for (const segment of segments) await call('POST', `${home}/segments`, segment)
  for (const { split, serve, ...flag } of flags) {
    await call('POST', `${home}/flags`, { ...flag, clientVisible: true })
    if (split === undefined && serve === undefined) continue
    const path = `${home}/environments/production/flags/${flag.key}/config`
    const config = { ...(await readDraft(call, path)) }
    const weights = Object.entries(split ?? {}).map(([variation, weight]) => ({ variation, weight }))
    await call('PUT', path, {
      ...config,
      enabled: true,
      rules: [
        {
          description: 'Our own people first',
          when: { match: 'all', of: [{ operator: 'in-segment', segment: 'staff' }] },
          serve: { variation: flag.variations?.[1]?.key ?? 'on' },
        },
      ],
      fallthrough: serve === undefined ? { split: weights } : { variation: serve },
      reason: 'Starts with the autumn release.',
    })
  }
  await visit({ request, url }, call)
  const other = await join(call, url, maintainer)
  await join(call, url, viewer)
  await fillChanges(call, other)
}

/** Evaluations and identities, through a key of the project. */
async function visit(
  { request, url }: Place,
  call: (method: string, path: string, data?: object) => Promise<unknown>,
) {
  const keys = `/api/v1/projects/${project.key}/environments/production/keys`
  const made: unknown = await call('POST', keys, { kind: 'client', label: 'Shop' })
  const value = typeof made === 'object' && made !== null && 'value' in made ? String(made.value) : ''
  for (const targetingKey of people) {
    const context = { targetingKey, email: `${targetingKey}@example.com`, country: 'DE', plan: 'pro' }
    const headers = { authorization: `Bearer ${value}` }
    await request.post(`${url}/ofrep/v1/evaluate/flags`, { headers, data: { context } })
  }
}
