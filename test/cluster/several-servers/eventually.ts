import { setTimeout as pause } from 'node:timers/promises'

/** Longer than anything takes on a busy machine; only a test that fails waits this long. */
const patience = 120_000

export async function eventually(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + patience
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`It never happened that ${what}.`)
    await pause(50)
  }
}
