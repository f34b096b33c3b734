import { expect, test } from 'vitest'
import { runTelltale } from '../../../test/run-telltale.ts'
import { verbs } from './verbs.ts'

const telltale = (...args: string[]) => runTelltale(args)

test('help lists every command', async () => {
  const { code, out } = await telltale('help')
  expect(code).toBe(0)
  for (const { name } of verbs) expect(out).toContain(`  ${name}`)
  expect(out).toContain('restore FILE')
  expect((await telltale('help', 'deploy', 'mark')).out).toContain('Usage: telltale deploy mark VERSION')
})

test('invalid usage is reported with exit code 2', async () => {
  const runs = await Promise.all([
    telltale('restor'),
    telltale('restore'),
    telltale('restore', 'a', 'b'),
    telltale('backup', '--too', 'x'),
  ])
  expect(runs.map(({ code }) => code)).toEqual([2, 2, 2, 2])
  expect(runs.map(({ err }) => err.split('\n')[0])).toEqual([
    'Unknown command "restor". Did you mean "restore"?',
    'FILE is missing.',
    '"b" is an unexpected argument.',
    "Unknown option '--too'. Did you mean --to?",
  ])
  expect(runs[1]?.err).toContain('Usage: telltale restore FILE')
})
