import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { verbs } from '../verbs.ts'
import { completionOf } from './completion.ts'

/** What bash offers for the last word of a line. */
function offered(...words: string[]): string[] {
  const script = [
    completionOf('bash', verbs),
    `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})`,
    `COMP_CWORD=${words.length - 1}`,
    '_telltale',
    `printf '%s\\n' "\${COMPREPLY[@]}"`,
  ].join('\n')
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\n').filter(Boolean)
}

test('bash offers verbs, their second words, options and values', () => {
  expect(offered('telltale', 'fl')).toEqual(['flags'])
  expect(offered('telltale', 'flags', '')).toEqual(['list', 'get', 'on', 'off', 'create', 'archive'])
  expect(offered('telltale', 'flags', 'get', 'headline', '--pro')).toEqual(['--project'])
  expect(offered('telltale', 'flags', 'create', 'x', '--type', '')).toEqual([
    'boolean',
    'string',
    'number',
    'json',
  ])
})

test('every shell has every verb', () => {
  for (const shell of ['bash', 'zsh', 'fish'] as const) {
    const script = completionOf(shell, verbs)
    for (const { name } of verbs) expect(script).toContain(name.split(' ')[0])
  }
  expect(completionOf('zsh', verbs)).toMatch(/^#compdef telltale\n/)
})
