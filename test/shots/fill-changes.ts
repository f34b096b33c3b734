// Changes that wait, were decided or are scheduled, and what else a project has after a while.

import { project } from '../browser/console.ts'

type Call = (method: string, path: string, data?: object) => Promise<unknown>

const home = `/api/v1/projects/${project.key}`
const day = 86_400_000

/** The second one is another person, without whom nothing is approved. */
export async function fillChanges(call: Call, other: Call): Promise<void> {
  await fillDecided(call, other)
  const config = await draftOf(call, 'search.ranking-v2')
  const wanted = { ...config, fallthrough: { variation: 'off' } }
  await propose(call, 'search.ranking-v2', { config: wanted, reason: 'Too slow for guests.' })
  const declined = await propose(call, 'banner.colour', {
    config: {
      ...(await draftOf(call, 'banner.colour')),
      enabled: false,
      fallthrough: { variation: 'control' },
    },
    reason: 'The banner is in the way of the autumn sale.',
  })
  await call('POST', `${home}/change-requests/${declined}/withdraw`, { comment: 'Not needed any more' })
  await propose(call, 'shipping.free-above', {
    config: { ...(await draftOf(call, 'shipping.free-above')), fallthrough: { variation: 'sixty' } },
  })
  const saved = await draftOf(call, 'shipping.free-above')
  await call('PUT', pathOf('shipping.free-above'), { ...saved, enabled: false })

  await call('POST', `${home}/environments/production/flags/checkout.one-page/scheduled-changes`, {
    at: new Date(Date.now() + day).toISOString(),
    change: { enabled: false },
    reason: 'Off for the night of the stock count.',
  })
  await call('PUT', `${home}/environments/production/flags/checkout.one-page/overrides/ada`, {
    variation: 'on',
  })
  await call('POST', `${home}/flags`, { key: 'nav.old', name: 'The old navigation', valueType: 'boolean' })
  await call('POST', `${home}/flags/nav.old/archive`)
  await call('POST', `${home}/invitations`, { email: 'tomas@pedalandpost.example', role: 'editor' })
  await call('POST', '/api/v1/account/tokens', {
    name: 'Release pipeline',
    project: project.key,
    role: 'editor',
  })
  await call('POST', '/api/v1/projects', { key: 'empty', name: 'Nothing yet' })
}

/** One request in each state that ends or waits for its time. */
async function fillDecided(call: Call, other: Call): Promise<void> {
  const flag = 'returns.portal-for-customers-who-ordered-as-guests-no-account'
  const half = [
    { variation: 'on', weight: 50_000 },
    { variation: 'off', weight: 50_000 },
  ]
  const decide = (id: string, decision: string, data: object = {}) =>
    call('POST', `${home}/change-requests/${id}/${decision}`, data)
  const config = { ...(await draftOf(call, flag)), enabled: true, fallthrough: { split: half } }
  const applied = await propose(other, flag, { config, reason: 'Half of the guests may return online.' })
  await decide(applied, 'approve', { version: 1, comment: 'Support has read the texts.' })
  await decide(applied, 'apply')
  const next = await draftOf(call, flag)
  const approved = await propose(other, flag, {
    config: { ...next, fallthrough: { variation: 'on' } },
    reason: 'No complaints in a week.',
  })
  await decide(approved, 'approve', { version: 1 })
  const declined = await propose(other, 'nav.sticky', {
    config: { ...(await draftOf(call, 'nav.sticky')), enabled: false },
    reason: 'It covers the first product on small phones.',
  })
  await decide(declined, 'decline', { comment: 'The next version is smaller.' })
}

const pathOf = (flag: string) => `${home}/environments/production/flags/${flag}/config`
const draftMembers = ['version', 'enabled', 'offVariation', 'prerequisites', 'rules', 'fallthrough']

function draftOf(call: Call, flag: string): Promise<object> {
  return readDraft(call, pathOf(flag))
}

export async function readDraft(call: Call, path: string): Promise<object> {
  const saved = Object.entries((await call('GET', path)) ?? {})
  return Object.fromEntries(saved.filter(([name]) => draftMembers.includes(name)))
}

async function propose(call: Call, flag: string, data: { config: object; reason?: string }): Promise<string> {
  const { version: baseVersion, ...config } = { version: undefined, ...data.config }
  const path = `${home}/environments/production/flags/${flag}/change-requests`
  const made = await call('POST', path, { ...data, config, baseVersion })
  return typeof made === 'object' && made !== null && 'id' in made ? String(made.id) : ''
}
