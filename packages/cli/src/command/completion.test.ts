import { execFileSync, spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { verbs } from '../verbs.ts'
import { completionOf, type Shell } from './completion.ts'

const isThere = (shell: Shell) => spawnSync(shell, ['--version']).status === 0
const run = (shell: Shell, ...args: string[]) => execFileSync(shell, args, { encoding: 'utf8' }).split('\n')

/** What each shell offers for the last word of a line. */
const offers: Record<Shell, (...words: string[]) => string[]> = {
  bash: (...words) =>
    run(
      'bash',
      '-c',
      `${completionOf('bash', verbs)}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length - 1}
_telltale
printf '%s\\n' "\${COMPREPLY[@]}"`,
    ),
  // Outside of its line editor, with what the editor would be given.
  zsh: (...words) =>
    run(
      'zsh',
      '-f',
      '-c',
      `compdef() { : }
_describe() { print -l -- "\${(@P)@[-1]%%:*}" }
compadd() { print -l -- "\${@[2,-1]}" }
${completionOf('zsh', verbs)}
words=(${words.map((word) => `'${word}'`).join(' ')})
CURRENT=${words.length}
PREFIX='${words.at(-1)}'
_telltale`,
    ).filter((word) => word.startsWith(words.at(-1) ?? '')),
  fish: (...words) =>
    run('fish', '--no-config', '-c', `${completionOf('fish', verbs)}\ncomplete -C '${words.join(' ')}'`).map(
      (line) => line.replace(/\t.*/, ''),
    ),
}

for (const shell of ['bash', 'zsh', 'fish'] as const) {
  test.skipIf(!isThere(shell))(`${shell} offers verbs, their second words, options and values`, () => {
    const offered = (...words: string[]) =>
      offers[shell](...words)
        .filter(Boolean)
        .sort()
    expect(offered('telltale', 'fl')).toEqual(['flags'])
    expect(offered('telltale', 'flags', '')).toEqual(['archive', 'create', 'get', 'list', 'off', 'on'])
    expect(offered('telltale', 'flags', 'get', 'headline', '--pro')).toEqual(['--project'])
    const types = ['boolean', 'json', 'number', 'string']
    expect(offered('telltale', 'flags', 'create', 'x', '--type', '')).toEqual(types)
  })
}

test('every shell has every verb', () => {
  for (const shell of ['bash', 'zsh', 'fish'] as const) {
    const script = completionOf(shell, verbs)
    for (const { name } of verbs) expect(script).toContain(name.split(' ')[0])
  }
  expect(completionOf('zsh', verbs)).toMatch(/^#compdef telltale\n/)
})
