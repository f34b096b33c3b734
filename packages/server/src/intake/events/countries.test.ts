// Countries from a file in MaxMind's format, generated here: a tree of address bits, and records in MaxMind's own
// encoding.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Log } from '../../platform/process/log.ts'
import { openCountries } from './countries.ts'

const error = vi.fn()
const log = { error } as Partial<Log> as Log

test('an address has the country of its network, if known', async () => {
  const file = await write(buildCountryFile({ '203.0.113.0/24': 'NO', '198.51.0.0/16': 'DE' }))
  const countryOf = await openCountries(file, log)
  expect(countryOf('203.0.113.77')).toBe('NO')
  expect(countryOf('198.51.200.1')).toBe('DE')
  expect(countryOf('192.0.2.1')).toBe('')
  expect(countryOf('2001:db8::1')).toBe('')
  expect(countryOf('no address')).toBe('')
})

test('without a valid file, countries are unknown', async () => {
  expect((await openCountries(undefined, log))('203.0.113.77')).toBe('')
  const broken = await write(Buffer.from('not a database'))
  expect((await openCountries(broken, log))('203.0.113.77')).toBe('')
  expect(error).toHaveBeenCalledOnce()
})

async function write(bytes: Buffer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'telltale-countries-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'countries.mmdb')
  await writeFile(file, bytes)
  return file
}

interface TreeNode {
  children: (TreeNode | number | undefined)[]
}

/** https://maxmind.github.io/MaxMind-DB/: nodes of two 32-bit records, 16 zero bytes, records, and metadata. */
function buildCountryFile(networks: Record<string, string>): Buffer {
  const root: TreeNode = { children: [] }
  const nodes = [root]
  const records: Buffer[] = []
  let recordsLength = 0
  for (const [network, country] of Object.entries(networks)) {
    const [address = '', length = '0'] = network.split('/')
    const bits = address
      .split('.')
      .map((part) => Number(part).toString(2).padStart(8, '0'))
      .join('')
      .slice(0, Number(length))
    let node = root
    for (const bit of bits.slice(0, -1)) {
      const known = node.children[Number(bit)]
      const next = typeof known === 'object' ? known : { children: [] }
      if (next !== known) nodes.push(next)
      node.children[Number(bit)] = next
      node = next
    }
    node.children[Number(bits.at(-1))] = recordsLength
    const record = encode({ country: { iso_code: country } })
    records.push(record)
    recordsLength += record.length
  }
  const separator = 16
  const tree = Buffer.alloc(nodes.length * 8)
  for (const [index, { children }] of nodes.entries()) {
    for (const side of [0, 1]) {
      const child = children[side]
      const missing = nodes.length
      const value =
        child === undefined
          ? missing
          : typeof child === 'number'
            ? nodes.length + separator + child
            : nodes.indexOf(child)
      tree.writeUInt32BE(value, index * 8 + side * 4)
    }
  }
  const about = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_790_000_000,
    database_type: 'Test-Country',
    ip_version: 4,
    node_count: nodes.length,
    record_size: 32,
  })
  const marker = Buffer.concat([Buffer.from([0xab, 0xcd, 0xef]), Buffer.from('MaxMind.com')])
  return Buffer.concat([tree, Buffer.alloc(separator), ...records, marker, about])
}

type Value = string | number | { [name: string]: Value }

/** Strings and maps shorter than 29, and 32-bit integers. */
function encode(value: Value): Buffer {
  if (typeof value === 'string')
    return Buffer.concat([Buffer.from([0x40 | value.length]), Buffer.from(value)])
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(5)
    bytes.writeUInt8(0xc4, 0)
    bytes.writeUInt32BE(value, 1)
    return bytes
  }
  const entries = Object.entries(value)
  return Buffer.concat([
    Buffer.from([0xe0 | entries.length]),
    ...entries.flatMap(([name, each]) => [encode(name), encode(each)]),
  ])
}
