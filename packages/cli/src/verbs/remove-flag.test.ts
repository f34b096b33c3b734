import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { runCommand } from '../command/run-command.ts'
import { removeFlag } from './remove-flag.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const before = "if (flags.getBoolean('beta', false)) {\n  a()\n} else {\n  b()\n}\npreload('beta')\n"
const after = "a()\npreload('beta')\n"

async function removeIn(folder: string, ...more: string[]) {
  const printed: string[] = []
  const keep = (text: unknown) => printed.push(String(text)) > 0
  vi.spyOn(console, 'log').mockImplementation(keep)
  vi.spyOn(console, 'error').mockImplementation(keep)
  vi.spyOn(process.stdout, 'write').mockImplementation(keep)
  const code = await runCommand(['remove-flag', 'beta', '--folder', folder, '--value', 'true', ...more], {
    verbs: [removeFlag],
    start: removeFlag,
  })
  vi.restoreAllMocks()
  return { code, printed: printed.join('\n') }
}

function createProject(): { folder: string; run: (...args: string[]) => string } {
  const folder = mkdtempSync(join(tmpdir(), 'telltale-remove-'))
  const run = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
    })
  run('init', '--quiet', '--initial-branch', 'main')
  run('config', 'user.name', 'a')
  run('config', 'user.email', 'a@example.com')
  writeFileSync(join(folder, 'page.ts'), before)
  writeFileSync(join(folder, '.gitignore'), 'built.js\n')
  writeFileSync(join(folder, 'built.js'), before)
  run('add', '.')
  run('commit', '--quiet', '--message', 'Start')
  return { folder, run }
}

test('files are changed, and what is left is listed with its place', async () => {
  const { folder } = createProject()
  const dry = await removeIn(folder, '--dry-run')
  expect(dry.printed).toContain('+a()')
  expect(readFileSync(join(folder, 'page.ts'), 'utf8')).toBe(before)

  const { code, printed } = await removeIn(folder)
  expect(code).toBe(0)
  expect(readFileSync(join(folder, 'page.ts'), 'utf8')).toBe(after)
  expect(printed).toContain('page.ts:6:9')
  // Ignored by git.
  expect(readFileSync(join(folder, 'built.js'), 'utf8')).toBe(before)
})

test('a patch applies with git, and a branch has one commit', async () => {
  const { folder, run } = createProject()
  await removeIn(folder, '--patch', join(folder, 'beta.patch'))
  expect(readFileSync(join(folder, 'page.ts'), 'utf8')).toBe(before)
  run('apply', 'beta.patch')
  expect(readFileSync(join(folder, 'page.ts'), 'utf8')).toBe(after)
  run('checkout', '--quiet', '--', 'page.ts')

  expect((await removeIn(folder, '--branch', 'without-beta')).code).toBe(0)
  expect(run('log', '--format=%s', 'main..without-beta').trim()).toBe('Remove the flag beta')
  expect(run('show', 'without-beta:page.ts')).toBe(after)
  expect(run('show', 'main:page.ts')).toBe(before)
})

test('without a value and a server, the command says what it needs', async () => {
  const { folder } = createProject()
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const code = await runCommand(['remove-flag', 'beta', '--folder', folder], {
    verbs: [removeFlag],
    start: removeFlag,
  })
  expect(code).toBe(2)
})
