import { eq } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import { expect, test } from 'vitest'
import { startTelltale } from '../../../../../test/start.ts'
import { channels, deliveries } from '../../platform/engines/postgres/alert-schema.ts'
import { environments, projects } from '../../platform/engines/postgres/schema.ts'
import { hideIds } from './hide-ids.ts'

test('batches of the audit log for another project remain: there, the id names another user', async () => {
  await using telltale = await startTelltale()
  const { db } = telltale.running.services
  for (const key of ['shop', 'other-shop']) await telltale.project(key)
  const all = await db.select({ id: projects.id, key: projects.key }).from(projects)
  const sent = new Map(all.map(({ key }) => [key, newId()]))
  const createdAt = new Date()
  for (const { id: projectId, key } of all) {
    const channel = { id: newId(), projectId, kind: 'webhook', name: 'Audit', createdAt } as const
    await db
      .insert(channels)
      .values({ ...channel, events: [], addresses: [], environments: [], enabled: false })
    const notice = JSON.parse('{"changes":[],"data":{"entries":[{"after":"mara"}]}}')
    const event = { event: 'audit.recorded', notice, state: 'delivered', nextAt: createdAt } as const
    const id = sent.get(key) ?? newId()
    await db.insert(deliveries).values({ id, channelId: channel.id, noticeId: newId(), ...event, createdAt })
  }
  const shop = all.find(({ key }) => key === 'shop')
  const [environment] = await db
    .select()
    .from(environments)
    .where(eq(environments.projectId, shop?.id ?? ''))
  await db.transaction((transaction) =>
    hideIds(transaction, { projectId: shop?.id ?? '', environmentId: environment?.id ?? '', ids: ['mara'] }),
  )
  const left = (await db.select({ id: deliveries.id }).from(deliveries)).map(({ id }) => id)
  expect(left).toContain(sent.get('other-shop'))
  expect(left).not.toContain(sent.get('shop'))
})
