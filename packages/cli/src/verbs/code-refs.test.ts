import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { writeTypes } from '@telltale/code/types/write-types'
import { describeCodeDocument } from '@telltale/core/contract/code-document'
import { afterEach, expect, test, vi } from 'vitest'
import { runCommand } from '../command/run-command.ts'
import { codeRefs } from './code-refs.ts'

const flag = { name: '', description: '', valueType: 'boolean', variations: [], valueSchema: null } as const

afterEach(() => {
  vi.restoreAllMocks()
})

function createProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'telltale-refs-'))
  const run = (...args: string[]) => execFileSync('git', args, { cwd: folder })
  run('init', '--quiet', '--initial-branch', 'main')
  run('config', 'user.name', 'a')
  run('config', 'user.email', 'a@example.com')
  run('remote', 'add', 'origin', 'git@github.com:acme/shop.git')
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'src/page.ts'), "one()\nif (flags.getBoolean('beta', false)) two()\nthree()\n")
  writeFileSync(join(folder, 'app.py'), 'client.get("beta")\n')
  writeFileSync(join(folder, 'photo.bin'), Buffer.from([0, ...Buffer.from('beta')]))
  writeFileSync(join(folder, '.gitignore'), 'built\n')
  mkdirSync(join(folder, 'built'))
  writeFileSync(join(folder, 'built/page.js'), "'beta'")
  run('add', '.')
  run('commit', '--quiet', '--message', 'Start')
  return folder
}

async function search(folder: string, ...more: string[]) {
  const uploads: { references: unknown[] }[] = []
  const server = createServer(async (request, response) => {
    if (request.method === 'PUT') {
      uploads.push(JSON.parse(await text(request)))
      response.writeHead(204).end()
    } else response.end(JSON.stringify({ items: [{ key: 'beta' }, { key: 'other' }], next: null }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const printed: string[] = []
  for (const name of ['log', 'error'] as const)
    vi.spyOn(console, name).mockImplementation((line) => void printed.push(line))
  const target = ['--url', `http://127.0.0.1:${port}`, '--project', 'shop', '--token', 'secret']
  const code = await runCommand(['code-refs', '--folder', folder, ...target, ...more], {
    verbs: [codeRefs],
    start: codeRefs,
  })
  server.close()
  return { code, uploads, printed: printed.join('\n') }
}

test('uses are found in what git knows, and uploaded with branch, commit and link', async () => {
  const { code, uploads } = await search(createProject(), '--context', '1')
  expect(code).toBe(0)
  expect(uploads).toEqual([
    {
      repository: 'acme/shop',
      branch: 'main',
      isDefault: true,
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
      link: 'https://github.com/acme/shop/blob/{commit}/{file}#L{line}',
      files: 4,
      references: [
        { flag: 'beta', file: 'app.py', line: 1, kind: 'text', context: 'client.get("beta")\n' },
        {
          flag: 'beta',
          file: 'src/page.ts',
          line: 2,
          kind: 'read',
          context: "one()\nif (flags.getBoolean('beta', false)) two()\nthree()",
        },
      ],
    },
  ])
})

test('files that declare flags for the command are not searched', async () => {
  const folder = createProject()
  mkdirSync(join(folder, 'telltale'))
  writeFileSync(join(folder, 'telltale/.schema.json'), JSON.stringify(describeCodeDocument()))
  writeFileSync(join(folder, 'telltale/beta.yaml'), 'flags:\n  beta: {}\n')
  writeFileSync(join(folder, 'telltale.code.json'), '{ "constants": { "Flags.Beta": "beta" } }')
  writeFileSync(join(folder, 'flags.d.ts'), writeTypes([{ ...flag, key: 'beta' }]))
  writeFileSync(join(folder, 'deploy.yaml'), 'flag: beta\n')
  const { printed } = await search(folder, '--dry-run')
  const files = ['app.py', 'deploy.yaml', 'src/page.ts']
  expect(printed.match(/\S+(?=:\d)/g)?.sort()).toEqual(files)
  const names = join(folder, 'config/names.json')
  mkdirSync(join(folder, 'config'))
  renameSync(join(folder, 'telltale.code.json'), names)
  const other = await search(folder, '--dry-run', '--config', names)
  expect(other.printed.match(/\S+(?=:\d)/g)?.sort()).toEqual(files)
})

test('without context no code is uploaded, and a dry run uploads nothing', async () => {
  const folder = createProject()
  const { uploads } = await search(folder, '--context', 'none')
  expect(uploads[0]?.references).toMatchObject([{ context: '' }, { context: '' }])
  const dry = await search(folder, '--dry-run')
  expect(dry.uploads).toEqual([])
  expect(dry.printed).toContain('src/page.ts:2 beta (read)')
  expect((await search(folder, '--context', '9')).code).toBe(2)
})
