// The files of deploy/ agree with the server that they run.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { settings } from '../packages/server/src/platform/process/config.ts'
import { root } from '../scripts/build/place.ts'

const read = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8')
const files = [
  'Dockerfile',
  'haproxy.cfg',
  'compose.yaml',
  'systemd/telltale.service',
  'helm/telltale/values.yaml',
  'helm/telltale/templates/statefulset.yaml',
]

test('every variable is a setting of the server', () => {
  const known = new Set<string>(Object.values(settings).map(({ variable }) => variable))
  for (const file of files) {
    for (const [variable] of read(file).matchAll(/\b(TELLTALE_[A-Z_]+|CLICKHOUSE_[A-Z_]+|DATABASE_URL)\b/g)) {
      expect(known, `${file}: ${variable}`).toContain(variable)
    }
  }
})

test('ports, probes and the program are those of the server', () => {
  expect(settings.port.default).toBe('4380')
  for (const file of files.filter((name) => !/service$|values/.test(name)))
    expect(read(file)).toContain('4380')
  const probes = files.flatMap((file) => [...read(file).matchAll(/\/health\/[a-z]+/g)].map(([path]) => path))
  expect(new Set(probes)).toEqual(new Set(['/health/ready', '/health/live']))
  const program = 'node_modules/telltale/packages/server/dist/main.js'
  expect(read('Dockerfile')).toContain(program)
  expect(read('systemd/telltale.service')).toContain(program)
  expect(existsSync(join(root, 'packages/server/src/app/main.ts'))).toBe(true)
})

test('the container is no root, has one volume and a health check', () => {
  const lines = read('Dockerfile').split('\n')
  expect(lines.filter((line) => line.startsWith('FROM '))).toHaveLength(2)
  expect(lines).toContain('USER node')
  expect(lines.filter((line) => line.startsWith('VOLUME'))).toEqual(['VOLUME /data'])
  expect(lines.some((line) => line.startsWith('HEALTHCHECK'))).toBe(true)
})

test('each value that a template of the chart reads is in values.yaml', () => {
  const values = read('helm/telltale/values.yaml')
  for (const name of ['statefulset', 'service', 'ingress', 'pod-disruption-budget']) {
    const template = read(`helm/telltale/templates/${name}.yaml`)
    expect(template.match(/\{\{/g)?.length).toBe(template.match(/\}\}/g)?.length)
    const opened = template.match(/\{\{-? (if|with|range|define)\b/g)?.length ?? 0
    expect(template.match(/\{\{-? end\b/g)?.length ?? 0, name).toBe(opened)
    for (const [, path = ''] of template.matchAll(/\.Values\.([a-zA-Z.]+)/g)) {
      for (const part of path.split('.'))
        expect(values, `${name}: ${path}`).toMatch(new RegExp(`\\b${part}:`))
    }
  }
})
