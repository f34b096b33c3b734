// A flag that divides people by chance, and people who were drawn by it, with a known effect.

import type { Page } from '@playwright/test'
import { event } from '../intake/visitor.ts'
import type { BuiltServer } from './built-server.ts'
import { ask, projectPath } from './console-member.ts'
import { environmentPath, type Visit } from './seed-events.ts'

interface Split {
  id: string
  epoch: number
}

interface Config {
  version: number
  fallthrough: { split: Split }
}

export const inHalves = {
  split: [
    { variation: 'off', weight: 50_000 },
    { variation: 'on', weight: 50_000 },
  ],
}

/** On in production, with what everybody is served there. */
export async function makeServedFlag(
  page: Page,
  server: BuiltServer,
  { flag, fallthrough }: { flag: string; fallthrough: object },
): Promise<Config> {
  const path = `${environmentPath}/flags/${flag}/config`
  const body = { key: flag, name: `The new ${flag}`, valueType: 'boolean', clientVisible: true }
  await ask(page, server, { method: 'POST', path: `${projectPath}/flags`, body })
  const { version } = await ask<Config>(page, server, { path })
  const config = { enabled: true, offVariation: 'off', prerequisites: [], rules: [], fallthrough, version }
  return ask(page, server, { method: 'PUT', path, body: { ...config, reason: 'A test' } })
}

/** Two in three of those who got it meet an error, one in twenty of the others; their largest paint takes twice as long. */
export function drawnVisits(flag: string, { id, epoch }: Split, count: number): Visit[] {
  return Array.from({ length: count }, (_, index) => {
    const isOn = index % 2 === 0
    const variation = isOn ? 'on' : 'off'
    const read = { flag, variation, split: id, epoch, by: 'targetingKey', unit: `visitor ${index}` }
    const fails = isOn ? index % 3 !== 0 : index % 20 === 1
    return {
      about: { page: '/checkout', version: '1.4.0', reads: [read] },
      events: [
        event('exposure', { flag }),
        event('view', { name: 'load' }),
        event('vital', { name: 'LCP', value: (isOn ? 2_400 : 1_200) + (index % 40) * 10, target: 'main' }),
        ...(index % 5 < 2 ? [event('custom', { name: 'paid', value: (index % 25) * 10 })] : []),
        ...(fails ? [event('error', { source: 'uncaught', message: 'no total', handled: false })] : []),
      ],
    }
  })
}
