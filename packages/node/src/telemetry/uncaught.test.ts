// What ends a process is reported, and it ends as it would without: each case is a process of its own.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openIntake } from '../testing/recorded-intake.ts'

const client = join(import.meta.dirname, '../flags.ts')

interface Ended {
  code: number
  stdout: string
  stderr: string
}

function runProcess(program: string, env: Record<string, string>): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-'],
      { env: { ...process.env, NODE_OPTIONS: '', ...env }, cwd: join(import.meta.dirname, '../../../..') },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
    child.stdin?.end(program)
  })
}

const begin = (options: string) => `
import { startFlags } from ${JSON.stringify(client)}
const flags = startFlags({ url: process.env.INTAKE, key: 'ser.k', telemetry: ${options} })
`

const cases: [name: string, program: string, ended: object, sent: object[]][] = [
  [
    'an exception',
    `${begin('{ uncaught: true }')} flags.track('before'); setTimeout(() => { throw new TypeError('fatal') })`,
    { code: 1, stderr: expect.stringContaining('TypeError: fatal') },
    [{ name: 'before' }, { type: 'TypeError', source: 'uncaught', handled: false }],
  ],
  [
    'a rejection',
    `${begin('{ uncaught: true }')} Promise.reject(new TypeError('fatal'))`,
    { code: 1, stderr: expect.stringContaining('TypeError: fatal') },
    [{ type: 'TypeError', source: 'rejection', handled: false }],
  ],
  [
    'an application that goes on',
    `${begin('{ uncaught: true }')}
    process.on('uncaughtException', () => console.log('goes on'))
    const heard = () => { console.log('heard'); process.off('unhandledRejection', heard) }
    process.on('unhandledRejection', heard)
    setTimeout(() => { throw new TypeError('one') })
    setTimeout(() => Promise.reject(new RangeError('two')), 20)
    setTimeout(() => console.log('left', process.listenerCount('unhandledRejection')), 60)`,
    { code: 0, stdout: 'goes on\nheard\nleft 0\n' },
    [
      { type: 'TypeError', source: 'uncaught' },
      { type: 'RangeError', source: 'rejection' },
    ],
  ],
  [
    'nothing without the option, and what is queued is sent before a process ends',
    `${begin('{}')} flags.track('last')
    console.log(process.listenerCount('uncaughtExceptionMonitor'))`,
    { code: 0, stdout: '0\n' },
    [{ name: 'last' }],
  ],
]

test.for(cases)('%s', async ([, program, ended, sent], context) => {
  const intake = await openIntake()
  context.onTestFinished(() => intake[Symbol.asyncDispose]())
  context.expect(await runProcess(program, { INTAKE: intake.url })).toMatchObject(ended)
  context.expect(intake.events).toMatchObject(sent)
})
